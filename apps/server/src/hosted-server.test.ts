import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHostedPlace } from './auth/hosted/hosted-place.ts'
import { createAccessTokens } from './auth/tokens/access-tokens.ts'
import { openSigningKeys } from './auth/tokens/signing-keys.ts'
import { aCredential, anEmail } from './testing/account-server.ts'
import { startWholeServer } from './testing/whole-server.ts'

const hourSeconds = 3600

test('a server whose users are kept elsewhere registers, signs in and signs out there', async () => {
  const elsewhere = await startWholeServer({ PUBLIC_URL: 'http://provider.test' })
  const issuer = 'http://provider.test/auth/v1'
  const keys = await openSigningKeys(join(elsewhere.folder, 'secrets'))
  const serviceKey = await createAccessTokens({
    keys,
    issuer,
    now: Date.now,
    foreignServiceKeys: false,
  }).issueServiceKey(hourSeconds)
  const here = await startWholeServer({
    AUTH_MODE: 'hosted',
    AUTH_URL: `${elsewhere.url}/auth/v1/`,
    AUTH_ISSUER: issuer,
    AUTH_PUBLISHABLE_KEY: 'shown-to-everybody',
    AUTH_SERVICE_KEY: serviceKey,
  })
  const credentials = { email: anEmail(), password: aCredential() }
  const post = (path: string, payload: object, headers = {}) =>
    here.app.inject({ method: 'POST', url: path, payload, headers })

  const registered = await post('/api/register', credentials)
  const { session } = (await post('/api/login', credentials)).json()
  const bearer = { authorization: `Bearer ${session.access_token}` }
  const me = await here.app.inject({ url: '/api/user-info', headers: bearer })
  const config = await here.app.inject({ url: '/api/config' })
  const ownProvider = await here.app.inject({ url: '/auth/v1/health' })
  const listed = await here.app.inject({ url: '/api/account/sign-ins', headers: bearer })
  await here.app.inject({
    method: 'DELETE',
    url: `/api/account/sign-ins/${listed.json().signIns[0].id}`,
    headers: bearer,
  })
  const afterwards = await here.app.inject({ url: '/api/user-info', headers: bearer })

  expect(registered.statusCode).toBe(200)
  expect(me.json().user).toMatchObject({ email: credentials.email, license_type: 'trial' })
  expect(config.json().auth).toEqual({ url: `${elsewhere.url}/auth/v1`, publishableKey: 'shown-to-everybody' })
  expect(config.body).not.toContain(serviceKey)
  expect(ownProvider.statusCode).toBe(404)
  expect(afterwards.statusCode).toBe(401)
  await here.stop()
  await elsewhere.stop()
})

test('a hosted provider without its keys stops the start in plain words', () => {
  const incomplete = { AUTH_MODE: 'hosted', AUTH_URL: 'https://provider.test' } as const

  expect(() => readHostedPlace(incomplete)).toThrow('needs AUTH_URL, AUTH_PUBLISHABLE_KEY and AUTH_SERVICE_KEY')
  expect(readHostedPlace({ ...incomplete, AUTH_MODE: 'embedded' })).toBeNull()
})
