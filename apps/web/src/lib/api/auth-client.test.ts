import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { createAuthClient, createPassingClient } from './auth-client.ts'
import { authStorageKey } from './stored-auth-session.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['for this browser', createAuthClient],
  ['for an email link', createPassingClient],
])('the client %s follows no redirect of the provider, which would forward a credential', async (_, createClient) => {
  vi.stubGlobal('localStorage', createMemoryStorage())
  const redirects: unknown[] = []
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    redirects.push(init.redirect)
    throw new TypeError('Failed to fetch')
  })
  const client = createClient({ url: 'https://files.example/auth/v1', publishableKey: '' })

  await client.verifyOtp({ type: 'email', token_hash: 'mailed' })
  await client.stopAutoRefresh()

  expect(new Set(redirects)).toEqual(new Set(['error']))
})

const json = { 'Content-Type': 'application/json' }

const user = { id: 'u1' }

/** A browser with an auth session that has run out, and a provider that responds to its refreshes. */
function openBrowser(respond: (attempt: number) => Response) {
  let attempts = 0
  vi.stubGlobal('fetch', async () => {
    attempts += 1
    return respond(attempts)
  })
  const session = { access_token: 'old', refresh_token: 'r1', token_type: 'bearer', expires_in: 1, expires_at: 1, user }
  const storage = createMemoryStorage({ [authStorageKey]: JSON.stringify(session) })
  vi.stubGlobal('localStorage', storage)
  const client = createAuthClient({ url: 'https://files.example/auth/v1', publishableKey: '' })
  onTestFinished(() => client.stopAutoRefresh())
  return { client, storage, attempts: () => attempts }
}

test.each([
  ['a rate limit', 429, json, '{"code":"over_request_rate_limit","message":"Request rate limit reached"}'],
  ['the page of a proxy', 403, { 'Content-Type': 'text/html' }, '<h1>Forbidden</h1>'],
  ['an error without a type', 401, {}, ''],
  ['a server that fails', 500, json, '{"code":"unexpected_failure","message":"Unexpected failure"}'],
] as const)(
  'ACC-10 a refresh answered by %s keeps the auth session and is retried',
  async (_, status, headers, body) => {
    const renewed = { access_token: 'new', refresh_token: 'r2', token_type: 'bearer', expires_in: 3600, user }
    const { client, storage, attempts } = openBrowser((attempt) =>
      attempt <= 2
        ? new Response(body, { status, headers })
        : new Response(JSON.stringify(renewed), { status: 200, headers: json }),
    )

    const { data } = await client.getSession()

    expect([attempts(), data.session?.access_token]).toEqual([3, 'new'])
    expect(storage.getItem(authStorageKey)).toContain('"new"')
  },
)

test('ACC-10 a refresh that the provider itself rejects removes the auth session at once', async () => {
  const body = '{"code":"refresh_token_not_found","message":"Invalid Refresh Token"}'
  const { client, storage, attempts } = openBrowser(() => new Response(body, { status: 400, headers: json }))

  const { data } = await client.getSession()

  expect([attempts(), data.session, storage.getItem(authStorageKey)]).toEqual([1, null, null])
})
