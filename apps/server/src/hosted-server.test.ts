import { expect, test } from 'vitest'
import { readHostedProviderConfig } from './modules/auth/hosted/hosted-config.ts'
import { randomCredential, randomEmail } from './testing/servers/account-server.ts'
import { startHostedServer } from './testing/servers/hosted-server.ts'

test('a server with a hosted provider registers, signs in and signs out users there', async () => {
  const { server, providerServer, serviceKey } = await startHostedServer()
  const credentials = { email: randomEmail(), password: randomCredential() }
  const post = (path: string, payload: object, headers = {}) =>
    server.app.inject({ method: 'POST', url: path, payload, headers })

  const registered = await post('/api/register', credentials)
  const { session } = (await post('/api/login', credentials)).json()
  const bearer = { authorization: `Bearer ${session.access_token}` }
  const me = await server.app.inject({ url: '/api/user-info', headers: bearer })
  const config = await server.app.inject({ url: '/api/config' })
  const ownProvider = await server.app.inject({ url: '/auth/v1/health' })
  const listed = await server.app.inject({ url: '/api/account/sign-ins', headers: bearer })
  const historyBefore = await server.app.inject({ url: '/api/account/sign-in-history', headers: bearer })
  const activity = await server.app.inject({ url: '/api/account/activity', headers: bearer })
  await server.app.inject({
    method: 'DELETE',
    url: `/api/account/sign-ins/${listed.json().signIns[0].id}`,
    headers: bearer,
  })
  const afterwards = await server.app.inject({ url: '/api/user-info', headers: bearer })

  expect(registered.statusCode).toBe(200)
  expect(me.json().user).toMatchObject({ email: credentials.email, license_type: 'trial' })
  expect(config.json().auth).toEqual({ url: `${providerServer.url}/auth/v1`, publishableKey: 'shown-to-everybody' })
  expect(config.body).not.toContain(serviceKey)
  expect(ownProvider.statusCode).toBe(404)
  expect(afterwards.statusCode).toBe(401)
  const { signIns } = listed.json()
  expect(historyBefore.json().signIns).toEqual([{ id: signIns[0].id, userAgent: '', signedInAt: signIns[0].createdAt }])
  expect(activity.json().activity).toEqual([{ action: 'sign-in', timestamp: expect.any(Number), details: {} }])
  await server.stop()
})

test('a hosted provider without its keys prevents startup with a clear message', () => {
  const incomplete = { AUTH_MODE: 'hosted', AUTH_URL: 'https://provider.test' } as const

  expect(() => readHostedProviderConfig(incomplete)).toThrow(
    'needs AUTH_URL, AUTH_PUBLISHABLE_KEY and AUTH_SERVICE_KEY',
  )
  expect(readHostedProviderConfig({ ...incomplete, AUTH_MODE: 'embedded' })).toBeNull()
})
