import { chatLimits } from '@sallyport/contract/limits'
import { requestLimits } from '@sallyport/contract/server-limits'
import { expect, onTestFinished, test } from 'vitest'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

async function startPosting() {
  const server = await startWholeServer()
  onTestFinished(() => server.stop())
  const { accessToken } = await server.createMember()
  return async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}`, ...headers },
      body,
    })
    const { code, error_code } = (await response.json()) as { code?: string; error_code?: string }
    return { status: response.status, code: error_code ?? code }
  }
}

test('a JSON body that is longer than its call allows gets 413, and a long text of a message its own error', async () => {
  const post = await startPosting()
  const long = JSON.stringify({ email: 'ann@example.org', password: 'x'.repeat(requestLimits.jsonBytes) })
  const message = { encryptedMessage: 'x'.repeat(100_000), encryptedKey: 'x' }

  expect(await post('/api/login', long)).toEqual({ status: 413, code: 'BODY_TOO_LARGE' })
  expect((await post('/auth/v1/token?grant_type=password', long)).status).toBe(413)
  expect(await post('/api/messages', JSON.stringify(message))).toEqual({ status: 413, code: 'MESSAGE_TOO_LONG' })
  const longest = ' '.repeat(chatLimits.bodyBytes + 1)
  expect(await post('/api/messages', longest)).toEqual({ status: 413, code: 'BODY_TOO_LARGE' })
})

test('JSON that nests too deeply or contains too many values is rejected before it is parsed', async () => {
  const post = await startPosting()
  const many = `[${Array(requestLimits.jsonValues + 1).fill('{}')}]`

  for (const body of [nested(1000), many, `{"a":${nested(requestLimits.jsonDepth)}}`]) {
    expect(await post('/api/login', body)).toEqual({ status: 400, code: 'BAD_JSON' })
    expect(await post('/auth/v1/token?grant_type=password', body)).toEqual({ status: 400, code: 'bad_json' })
  }
})

test('brackets, commas and quotation marks within strings do not count', async () => {
  const post = await startPosting()
  const email = `${nested(500)}${','.repeat(1500)}"\\"\\\\`

  const { code } = await post('/api/login', JSON.stringify({ email, password: '\\' }))

  expect(code).not.toBe('BAD_JSON')
})

test('a body without an end, or with a prototype, is not valid JSON', async () => {
  const post = await startPosting()

  for (const body of ['{"email":"ann', '{"email":"ann\\"', '"\\', '{"__proto__":{"admin":true}}', '']) {
    expect(await post('/api/login', body), body).toEqual({ status: 400, code: 'BAD_JSON' })
  }
})
