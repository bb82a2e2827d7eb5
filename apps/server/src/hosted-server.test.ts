import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHostedProviderConfig } from './modules/auth/hosted/hosted-config.ts'
import { createAccessTokens } from './modules/auth/tokens/access-tokens.ts'
import { openSigningKeys } from './modules/auth/tokens/signing-keys.ts'
import { randomCredential, randomEmail } from './testing/servers/account-server.ts'
import { startWholeServer } from './testing/servers/whole-server.ts'

const hourSeconds = 3600

test('PLN-04 PLN-05 a server with a hosted provider registers, signs in and signs out users there, and sells them plans', async () => {
  const providerServer = await startWholeServer({ PUBLIC_URL: 'http://provider.test' })
  const issuer = 'http://provider.test/auth/v1'
  const keys = await openSigningKeys(join(providerServer.folder, 'secrets'))
  const serviceKey = await createAccessTokens({
    keys,
    issuer,
    now: Date.now,
    allowAnyServiceKeyIssuer: false,
  }).issueServiceKey(hourSeconds)
  const server = await startWholeServer({
    AUTH_MODE: 'hosted',
    AUTH_URL: `${providerServer.url}/auth/v1/`,
    AUTH_ISSUER: issuer,
    AUTH_PUBLISHABLE_KEY: 'shown-to-everybody',
    AUTH_SERVICE_KEY: serviceKey,
  })
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
  const order = { price_id: 'personal', customer_email: credentials.email, success_url: '/', cancel_url: '/' }
  const checkout = (await post('/api/stripe/create-checkout', order, bearer)).json()
  const paid = await post(`/api/billing/test-checkouts/${checkout.checkout_url.split('/').at(-1)}/pay`, {})
  const subscriber = await server.app.inject({ url: '/api/user-info', headers: bearer })
  const cancelled = await post('/api/subscription/cancel', {}, bearer)
  const subscription = await server.app.inject({ url: '/api/subscription/info', headers: bearer })
  const historyBefore = await server.app.inject({ url: '/api/account/sign-in-history', headers: bearer })
  await server.app.inject({
    method: 'DELETE',
    url: `/api/account/sign-ins/${listed.json().signIns[0].id}`,
    headers: bearer,
  })
  const afterwards = await server.app.inject({ url: '/api/user-info', headers: bearer })

  expect(registered.statusCode).toBe(200)
  expect(me.json().user).toMatchObject({ email: credentials.email, license_type: 'trial' })
  expect(paid.statusCode).toBe(200)
  expect(subscriber.json().user).toMatchObject({ license_type: 'personal', storage_limit_bytes: 50 * 1024 ** 3 })
  expect(cancelled.statusCode).toBe(200)
  expect(subscription.json()).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(config.json().auth).toEqual({ url: `${providerServer.url}/auth/v1`, publishableKey: 'shown-to-everybody' })
  expect(config.body).not.toContain(serviceKey)
  expect(ownProvider.statusCode).toBe(404)
  expect(afterwards.statusCode).toBe(401)
  const { signIns } = listed.json()
  expect(historyBefore.json().signIns).toEqual([{ id: signIns[0].id, userAgent: '', signedInAt: signIns[0].createdAt }])
  await server.stop()
  await providerServer.stop()
})

test('a hosted provider without its keys prevents startup with a clear message', () => {
  const incomplete = { AUTH_MODE: 'hosted', AUTH_URL: 'https://provider.test' } as const

  expect(() => readHostedProviderConfig(incomplete)).toThrow(
    'needs AUTH_URL, AUTH_PUBLISHABLE_KEY and AUTH_SERVICE_KEY',
  )
  expect(readHostedProviderConfig({ ...incomplete, AUTH_MODE: 'embedded' })).toBeNull()
})
