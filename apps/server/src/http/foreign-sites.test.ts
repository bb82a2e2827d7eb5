import { expect, test } from 'vitest'
import { aCredential, anEmail } from '../testing/account-server.ts'
import { nameOf, routes } from '../testing/fuzz/requests.ts'
import { startWholeServer } from '../testing/whole-server.ts'

test('T187 no origin is told that it may read an answer, and none may ask for it beforehand', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.aMember()

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

test('T188 what the form of another site can send is refused by every call, and changes nothing', async () => {
  const server = await startWholeServer()
  const { accessToken, email, password } = await server.aMember()
  const cookie = `access_token=${accessToken}; sb-access-token=${accessToken}; session=${accessToken}`
  const fromThere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  const forms = {
    'application/x-www-form-urlencoded': new URLSearchParams({ email, password }).toString(),
    'multipart/form-data; boundary=x': `--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n${email}\r\n--x--\r\n`,
    'text/plain': JSON.stringify({ email, password }),
    'text/plain;charset=UTF-8': JSON.stringify({ email, password, defaultExpirationMinutes: 1, password2: '=' }),
  }
  const taking = routes.filter(({ spec }) => spec.method !== 'GET' && spec.method !== 'HEAD')

  for (const { path, spec } of taking) {
    const url = path.replace(/:[a-zA-Z]+/g, '01a1fd00-0000-7000-8000-000000000000')
    for (const [type, payload] of Object.entries(forms)) {
      const headers = { ...fromThere, cookie, 'content-type': type }
      const { statusCode } = await server.app.inject({ method: spec.method, url, headers, payload })
      expect([401, 403, 415], `${nameOf({ path, spec })} as ${type}: ${statusCode}`).toContain(statusCode)
    }
  }
  const stillIn = await fetch(`${server.url}/api/user-info`, { headers: { authorization: `Bearer ${accessToken}` } })

  expect(taking.length).toBeGreaterThan(30)
  expect(stillIn.status).toBe(200)
  await server.stop()
})

test('T188 JSON that is not announced as such signs nobody in, and a cookie stands for nobody', async () => {
  const server = await startWholeServer()
  const { accessToken, email, password } = await server.aMember()
  const ask = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
    fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const plain = { 'content-type': 'text/plain' }

  const signIn = await ask('/api/login', plain, { email, password })
  const grant = await ask('/auth/v1/token?grant_type=password', plain, { email, password })
  const stranger = { email: anEmail(), password: aCredential() }
  const registration = await ask('/api/register', plain, stranger)
  const json = { 'content-type': 'application/json', cookie: `access_token=${accessToken}` }
  const byCookie = await ask('/api/settings', json, { defaultExpirationMinutes: 1 })
  const unknown = await ask('/api/login', { 'content-type': 'application/json' }, stranger)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const settings = await fetch(`${server.url}/api/settings`, { headers: bearer })
  const kept = (await settings.json()) as { settings: { defaultExpirationMinutes: number } }

  expect([signIn.status, registration.status, byCookie.status, unknown.status]).toEqual([415, 415, 401, 401])
  expect(grant.status).toBeGreaterThanOrEqual(400)
  expect(await grant.text()).not.toContain('access_token')
  expect(kept.settings.defaultExpirationMinutes).toBeGreaterThan(1)
  await server.stop()
})
