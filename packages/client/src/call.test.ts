import { inspect } from 'node:util'
import { accounts } from '@sallyport/contract/accounts'
import { admin } from '@sallyport/contract/admin'
import { files } from '@sallyport/contract/files'
import { live } from '@sallyport/contract/live'
import { sharing } from '@sallyport/contract/sharing'
import { expect, test } from 'vitest'
import { createCaller, type GetAccessToken } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { createManualClock } from './testing/manual-clock.ts'

type Respond = (url: string, init: RequestInit) => Response | Promise<Response>

function startCaller(respond: Respond, getAccessToken: GetAccessToken = async () => 'token') {
  const sent: { url: string; init: RequestInit }[] = []
  const clock = createManualClock()
  const fetch = (async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return respond(url, init)
  }) as typeof globalThis.fetch
  return { call: createCaller({ baseUrl: 'https://server.test', getAccessToken, fetch, clock }), sent, clock }
}

const id = '00000000-0000-4000-8000-000000000001'
const successResponse = () => Response.json({ success: true })
const errorResponse = (status: number, code: string, error: string, headers = {}) =>
  Response.json({ success: false, error, code, details: { seen: 1 } }, { status, headers })

test('a call fills in the path, sends the bearer token and parses the reply', async () => {
  const { call, sent } = startCaller(() => Response.json({ success: true, encryptedFileKey: 'abc', more: 1 }))

  const reply = await call(files.key, { params: { id } })

  expect(reply).toEqual({ success: true, encryptedFileKey: 'abc' })
  expect(sent[0]?.url).toBe(`https://server.test/api/file/${id}/key`)
  expect(sent[0]?.init.headers).toEqual({ authorization: 'Bearer token' })
})

test('ACC-19 only fields named by the contract are sent, even when the types are bypassed', async () => {
  const { call, sent } = startCaller(successResponse)
  const bodyWithSecrets = { expirationMinutes: 5, masterKey: 'secret', password: 'secret' } as {
    expirationMinutes: number
  }
  const headers = { 'x-share-proof': 'p', 'x-master-key': 'secret' } as { 'x-share-proof': string }

  await call(files.change, { params: { id }, body: bodyWithSecrets }).catch(() => undefined)
  await call(sharing.download, { params: { token: 't' }, headers })

  expect(sent[0]?.init.body).toBe('{"expirationMinutes":5}')
  expect(JSON.stringify(sent)).not.toContain('secret')
})

test('ACC-19 a body that the contract does not require is sent with its named fields', async () => {
  const { call, sent } = startCaller(() => Response.json({ success: true, message: 'Done', state: 'deleted' }))
  const body = { email: 'maya@example.org', password: 'secret' } as { email: string }

  await call(admin.deleteUser, { params: { id }, body })
  await call(admin.deleteUser, { params: { id } })

  expect(sent.map(({ init }) => init.body)).toEqual(['{"email":"maya@example.org"}', '{}'])
})

test('ACC-19 a field the contract does not name is a type error', async () => {
  const { call } = startCaller(successResponse)

  const calls = [
    // @ts-expect-error: no such field
    () => call(files.change, { params: { id }, body: { expirationMinutes: 5, masterKey: 'secret' } }),
    // @ts-expect-error: no such part
    () => call(files.list, { body: { password: 'secret' } }),
  ]

  expect(calls).toHaveLength(2)
})

test('a call without authentication carries no bearer token', async () => {
  const { call, sent } = startCaller(() => Response.json({ success: true, salt: 's', profiles: [2] }))

  await call(accounts.prelogin, { body: { email: 'ann@example.org' } })

  expect(sent[0]?.init.headers).toEqual({ 'content-type': 'application/json' })
})

test('signed out, an authenticated call sends nothing', async () => {
  const { call, sent } = startCaller(successResponse, async () => null)

  await expect(call(files.list, {})).rejects.toMatchObject({ status: 401, code: 'NO_TOKEN' })
  expect(sent).toEqual([])
})

test('a rejected token is renewed once', async () => {
  const authorizations: unknown[] = []
  const { call } = startCaller(
    (_, { headers }) => {
      authorizations.push((headers as Record<string, string>)['authorization'])
      return authorizations.length === 1 ? errorResponse(401, 'SESSION_EXPIRED', 'Over') : successResponse()
    },
    async (rejectedToken) => (rejectedToken === undefined ? 'old' : 'new'),
  )

  await call(files.remove, { params: { id } })

  expect(authorizations).toEqual(['Bearer old', 'Bearer new'])
})

test('an error response keeps its status, code, message and details', async () => {
  const { call } = startCaller(() => errorResponse(429, 'RATE_LIMITED', 'Slowly', { 'Retry-After': '7' }))

  const failure = await call(files.list, {}).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    serverMessage: 'Slowly',
    details: { seen: 1 },
    retryAfterMs: 7000,
  })
})

test('ACC-04 an error has the whole response, but no log of it shows the tokens in there', async () => {
  const body = { success: false, error: 'Over', code: 'TRIAL_EXPIRED', session: { refresh_token: 'secret' } }
  const { call } = startCaller(() => Response.json(body, { status: 403 }))

  const error = await call(accounts.settings, {}).catch((caught: unknown) => caught as ApiError)

  expect(error).toBeInstanceOf(ApiError)
  expect(error instanceof ApiError && error.body).toEqual(body)
  expect(JSON.stringify(error) + inspect(error)).not.toContain('secret')
})

test('Retry-After with a date counts from the Date of the response, whatever the device’s clock says', async () => {
  const headers = { 'Retry-After': 'Fri, 27 Nov 2026 12:00:09 GMT', Date: 'Fri, 27 Nov 2026 12:00:00 GMT' }
  const { call } = startCaller(() => errorResponse(429, 'RATE_LIMITED', 'Slowly', headers))

  const failure = await call(files.list, {}).catch((error: unknown) => error)

  expect(failure).toMatchObject({ retryAfterMs: 9000 })
})

test('FIL-09 a response that cannot be parsed is an invalid response, whatever its status', async () => {
  for (const status of [200, 502]) {
    const { call } = startCaller(() => new Response('<html>', { status }))

    await expect(call(files.list, {})).rejects.toMatchObject({ status, code: null, serverMessage: '' })
  }
})

test('an unknown error code does not break an older client', async () => {
  const { call } = startCaller(() => errorResponse(418, 'TEAPOT', 'I am a teapot'))

  await expect(call(files.list, {})).rejects.toMatchObject({
    status: 418,
    code: 'TEAPOT',
    serverMessage: 'I am a teapot',
  })
})

test('a failed fetch is a NetworkError', async () => {
  const { call } = startCaller(() => Promise.reject(new TypeError('fetch failed')))

  await expect(call(files.list, {})).rejects.toBeInstanceOf(NetworkError)
})

test('a call that exceeds its timeout rejects with a TimeoutError', async () => {
  const { call, clock } = startCaller(
    (_, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  )
  const pending = call(live.ticket, { body: { purpose: 'live' } }, { timeoutMs: 60_000 })
  const failure = pending.catch((error: unknown) => error)

  await clock.advance(59_999)
  await clock.advance(1)

  expect(await failure).toMatchObject({ name: 'TimeoutError' })
})

test('an aborted call rejects with the signal’s reason', async () => {
  const controller = new AbortController()
  const { call, sent } = startCaller(successResponse)
  controller.abort(new Error('enough'))

  await expect(call(files.list, {}, { signal: controller.signal })).rejects.toThrow('enough')
  expect(sent).toEqual([])
})

test('a path parameter is URL-encoded', async () => {
  const { call, sent } = startCaller(successResponse)

  await call(sharing.download, { params: { token: '../x?y#z' }, query: { filename: 'a b' } })

  expect(sent[0]?.url).toBe('https://server.test/api/share/..%2Fx%3Fy%23z?filename=a+b')
})
