import { expect, test } from 'vitest'
import { nameOf, routes } from '../../testing/fuzz/requests.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

test('T187 no origin gets CORS headers, and preflight requests get 404', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()

  for (const { path, spec } of routes) {
    const url = path.replace(/:[a-zA-Z]+/g, '01a1fd00-0000-7000-8000-000000000000')
    for (const origin of ['https://evil.test', 'null', `${server.url}.evil.test`, server.url]) {
      const asking = {
        origin,
        'access-control-request-method': spec.method,
        'access-control-request-headers': 'authorization',
      }
      const answers = await Promise.all([
        server.app.inject({ method: 'OPTIONS', url, headers: asking }),
        server.app.inject({ method: spec.method, url, headers: { origin } }),
      ])
      const [preflight] = answers
      expect(preflight.statusCode, `${nameOf({ path, spec })} from ${origin}`).toBe(404)
      for (const { headers } of answers) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
        expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      }
    }
  }
  const own = await fetch(`${server.url}/api/user-info`, {
    headers: { authorization: `Bearer ${accessToken}`, origin: 'https://evil.test' },
  })
  expect(own.headers.get('access-control-allow-origin')).toBeNull()
  await server.stop()
})

test('T188 every endpoint rejects what a cross-site form can send', async () => {
  const server = await startWholeServer()
  const { accessToken, email, password } = await server.createMember()
  const cookie = `access_token=${accessToken}; sb-access-token=${accessToken}; session=${accessToken}`
  const crossSiteHeaders = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  const forms = {
    'application/x-www-form-urlencoded': new URLSearchParams({ email, password }).toString(),
    'multipart/form-data; boundary=x': `--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n${email}\r\n--x--\r\n`,
    'text/plain': JSON.stringify({ email, password }),
    'text/plain;charset=UTF-8': JSON.stringify({ email, password, defaultExpirationMinutes: 1, password2: '=' }),
  }
  const mutatingRoutes = routes.filter(({ spec }) => spec.method !== 'GET' && spec.method !== 'HEAD')

  for (const { path, spec } of mutatingRoutes) {
    const url = path.replace(/:[a-zA-Z]+/g, '01a1fd00-0000-7000-8000-000000000000')
    for (const [type, payload] of Object.entries(forms)) {
      const headers = { ...crossSiteHeaders, cookie, 'content-type': type }
      const { statusCode } = await server.app.inject({ method: spec.method, url, headers, payload })
      expect([401, 403, 415], `${nameOf({ path, spec })} as ${type}: ${statusCode}`).toContain(statusCode)
    }
  }
  const userInfo = await fetch(`${server.url}/api/user-info`, { headers: { authorization: `Bearer ${accessToken}` } })

  expect(mutatingRoutes.length).toBeGreaterThan(30)
  expect(userInfo.status).toBe(200)
  await server.stop()
})

test('T188 JSON without its content type gets 415, and cookies do not authenticate', async () => {
  const server = await startWholeServer()
  const { accessToken, email, password } = await server.createMember()
  const post = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
    fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const plain = { 'content-type': 'text/plain' }

  const login = await post('/api/login', plain, { email, password })
  const tokenResponse = await post('/auth/v1/token?grant_type=password', plain, { email, password })
  const stranger = { email: randomEmail(), password: randomCredential() }
  const registration = await post('/api/register', plain, stranger)
  const json = { 'content-type': 'application/json', cookie: `access_token=${accessToken}` }
  const byCookie = await post('/api/settings', json, { defaultExpirationMinutes: 1 })
  const unknown = await post('/api/login', { 'content-type': 'application/json' }, stranger)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const settings = await fetch(`${server.url}/api/settings`, { headers: bearer })
  const stored = (await settings.json()) as { settings: { defaultExpirationMinutes: number } }

  expect([login.status, registration.status, byCookie.status, unknown.status]).toEqual([415, 415, 401, 401])
  expect(tokenResponse.status).toBeGreaterThanOrEqual(400)
  expect(await tokenResponse.text()).not.toContain('access_token')
  expect(stored.settings.defaultExpirationMinutes).toBeGreaterThan(1)
  await server.stop()
})
