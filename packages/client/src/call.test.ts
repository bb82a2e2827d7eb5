import { accounts } from '@sallyport/contract/accounts'
import { files } from '@sallyport/contract/files'
import { live } from '@sallyport/contract/live'
import { sharing } from '@sallyport/contract/sharing'
import { expect, test } from 'vitest'
import { type AccessToken, createCaller } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { createManualClock } from './testing/manual-clock.ts'

type Answering = (url: string, init: RequestInit) => Response | Promise<Response>

function startCaller(answer: Answering, accessToken: AccessToken = async () => 'token') {
  const sent: { url: string; init: RequestInit }[] = []
  const clock = createManualClock()
  const fetch = (async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return answer(url, init)
  }) as typeof globalThis.fetch
  return { call: createCaller({ baseUrl: 'https://server.test', accessToken, fetch, clock }), sent, clock }
}

const id = '00000000-0000-4000-8000-000000000001'
const done = () => Response.json({ success: true })
const refuse = (status: number, code: string, error: string, headers = {}) =>
  Response.json({ success: false, error, code, details: { seen: 1 } }, { status, headers })

test('a call fills the path, names the bearer and parses the answer', async () => {
  const { call, sent } = startCaller(() => Response.json({ success: true, encryptedFileKey: 'abc', more: 1 }))

  const reply = await call(files.key, { params: { id } })

  expect(reply).toEqual({ success: true, encryptedFileKey: 'abc' })
  expect(sent[0]?.url).toBe(`https://server.test/api/file/${id}/key`)
  expect(sent[0]?.init.headers).toEqual({ authorization: 'Bearer token' })
})

test('ACC-19 only what the contract names leaves, whatever the types are made to say', async () => {
  const { call, sent } = startCaller(done)
  const secretive = { expirationMinutes: 5, masterKey: 'secret', password: 'secret' } as { expirationMinutes: number }
  const headers = { 'x-share-proof': 'p', 'x-master-key': 'secret' } as { 'x-share-proof': string }

  await call(files.change, { params: { id }, body: secretive }).catch(() => undefined)
  await call(sharing.download, { params: { token: 't' }, headers })

  expect(sent[0]?.init.body).toBe('{"expirationMinutes":5}')
  expect(JSON.stringify(sent)).not.toContain('secret')
})

test('ACC-19 a field the contract does not name is no valid program', async () => {
  const { call } = startCaller(done)

  const calls = [
    // @ts-expect-error: no such field
    () => call(files.change, { params: { id }, body: { expirationMinutes: 5, masterKey: 'secret' } }),
    // @ts-expect-error: no such part
    () => call(files.list, { body: { password: 'secret' } }),
  ]

  expect(calls).toHaveLength(2)
})

test('a call that needs no sign-in carries no bearer', async () => {
  const { call, sent } = startCaller(() => Response.json({ success: true, salt: 's', profiles: [2] }))

  await call(accounts.prelogin, { body: { email: 'ann@example.org' } })

  expect(sent[0]?.init.headers).toEqual({ 'content-type': 'application/json' })
})

test('without a sign-in nothing is sent', async () => {
  const { call, sent } = startCaller(done, async () => null)

  await expect(call(files.list, {})).rejects.toMatchObject({ status: 401, code: 'NO_TOKEN' })
  expect(sent).toEqual([])
})

test('a token that was turned down is renewed once', async () => {
  const bearers: unknown[] = []
  const { call } = startCaller(
    (_, { headers }) => {
      bearers.push((headers as Record<string, string>)['authorization'])
      return bearers.length === 1 ? refuse(401, 'SESSION_EXPIRED', 'Over') : done()
    },
    async (turnedDown) => (turnedDown === undefined ? 'old' : 'new'),
  )

  await call(files.remove, { params: { id } })

  expect(bearers).toEqual(['Bearer old', 'Bearer new'])
})

test('a refusal keeps its status, code, words and details', async () => {
  const { call } = startCaller(() => refuse(429, 'RATE_LIMITED', 'Slowly', { 'Retry-After': '7' }))

  const failure = await call(files.list, {}).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    message: 'Slowly',
    details: { seen: 1 },
    retryAfterMs: 7000,
  })
})

test('FIL-09 what cannot be read is an invalid response, be it a success or a refusal', async () => {
  for (const status of [200, 502]) {
    const { call } = startCaller(() => new Response('<html>', { status }))

    await expect(call(files.list, {})).rejects.toMatchObject({ status, message: 'Invalid response from server' })
  }
})

test('a code of a newer server does not break an older client', async () => {
  const { call } = startCaller(() => refuse(418, 'TEAPOT', 'I am a teapot'))

  await expect(call(files.list, {})).rejects.toMatchObject({ status: 418, code: null, message: 'I am a teapot' })
})

test('no connection is a network error', async () => {
  const { call } = startCaller(() => Promise.reject(new TypeError('fetch failed')))

  await expect(call(files.list, {})).rejects.toBeInstanceOf(NetworkError)
})

test('a call that takes too long ends with a timeout', async () => {
  const { call, clock } = startCaller(
    (_, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  )
  const calling = call(live.ticket, { body: { purpose: 'live' } }, { timeoutMs: 60_000 })
  const failure = calling.catch((error: unknown) => error)

  await clock.advance(59_999)
  await clock.advance(1)

  expect(await failure).toMatchObject({ name: 'TimeoutError' })
})

test('an aborted call ends with the reason it was given', async () => {
  const stop = new AbortController()
  const { call, sent } = startCaller(done)
  stop.abort(new Error('enough'))

  await expect(call(files.list, {}, { signal: stop.signal })).rejects.toThrow('enough')
  expect(sent).toEqual([])
})

test('a value in a path is encoded', async () => {
  const { call, sent } = startCaller(done)

  await call(sharing.download, { params: { token: '../x?y#z' }, query: { filename: 'a b' } })

  expect(sent[0]?.url).toBe('https://server.test/api/share/..%2Fx%3Fy%23z?filename=a+b')
})
