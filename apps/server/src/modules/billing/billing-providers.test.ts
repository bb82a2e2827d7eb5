import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/open.ts'
import { startHostedServer } from '../../testing/servers/hosted-server.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { createTestFolder } from '../../testing/test-folder.ts'

const providers = {
  embedded: () => startWholeServer(),
  hosted: async () => (await startHostedServer()).server,
}

test.each(Object.entries(providers))(
  'PLN-04 PLN-05 T105 with the %s auth provider a plan is bought, shown and cancelled',
  async (_, start) => {
    const server = await start()
    const [buyer, other] = [await server.createMember(), await server.createMember()]
    const bearer = { authorization: `Bearer ${buyer.accessToken}` }
    const post = (url: string, payload: object, headers = {}) =>
      server.app.inject({ method: 'POST', url, payload, headers })
    const read = async (url: string) => (await server.app.inject({ url, headers: bearer })).json()
    const order = { price_id: 'personal', customer_email: buyer.email, success_url: '/', cancel_url: '/settings' }

    const strangers = [
      await post('/api/stripe/create-checkout', order),
      await post('/api/stripe/create-checkout', order, { authorization: `Bearer ${other.accessToken}` }),
    ]
    const started = await post('/api/stripe/create-checkout', order, bearer)
    const checkout = `/api/billing/test-checkouts/${started.json().checkout_url.split('/').at(-1)}`
    const declined = await post(`${checkout}/decline`, {})
    const before = (await read('/api/user-info')).user
    const paid = await post(`${checkout}/pay`, {})
    const { user } = await read('/api/user-info')
    const cancelled = await post('/api/subscription/cancel', {}, bearer)

    expect(strangers.map(({ statusCode }) => statusCode)).toEqual([401, 400])
    expect([declined.statusCode, before.license_type]).toEqual([402, 'trial'])
    expect([paid.statusCode, user.license_type, user.storage_limit_bytes]).toEqual([200, 'personal', 50 * 1024 ** 3])
    expect(cancelled.json()).toMatchObject({ success: true, message: expect.stringContaining('Your plan stays until') })
    expect(await read('/api/subscription/info')).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await server.stop()
  },
)

test('PLN-04 with a public address and no BILLING people contact the operator, and the start warns once', async () => {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const server = await startWholeServer({ PUBLIC_URL: 'https://files.example' }, log)
  const { accessToken, email } = await server.createMember()
  const headers = { authorization: `Bearer ${accessToken}` }
  const order = { price_id: 'personal', customer_email: email, success_url: '/', cancel_url: '/' }

  const config = (await server.app.inject({ url: '/api/config' })).json()
  const started = await server.app.inject({
    method: 'POST',
    url: '/api/stripe/create-checkout',
    payload: order,
    headers,
  })
  const page = await server.app.inject({ url: '/api/billing/test-checkouts/tcs_unknown' })
  await server.stop()

  expect([config.features.payments, config.plans.length]).toEqual([false, 3])
  expect([started.statusCode, started.json().code, page.statusCode]).toEqual([404, 'PAYMENTS_OFF', 404])
  expect(lines.filter((line) => line.includes('BILLING is not set'))).toHaveLength(1)
  expect(lines.join('')).toContain('"billing":"contact"')
})

test('PLN-08 while people pay at Stripe, the server does not start without it', async () => {
  const folder = createTestFolder()
  const first = await startWholeServer({ DATA_DIR: folder, BILLING: 'test' })
  const { userId } = await first.createMember()
  await first.stop()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder, onError: () => undefined })
  const running = { plan: 'personal', quantity: 1, organization_id: null, status: 'active', price_cents: 1000 }
  const times = { period_start: 0, period_end: 1, cancel_at_period_end: 0, ended_at: null, applied_at: 0 }
  await db
    .insertInto('billing_subscriptions')
    .values({ ...running, ...times, provider_id: 'sub_1', user_id: userId, customer_id: 'cus_1' })
    .execute()
  const start = (environment: Record<string, string>) => startWholeServer({ DATA_DIR: folder, ...environment })

  for (const BILLING of ['test', 'none', 'contact'])
    await expect(start({ BILLING })).rejects.toThrow('A subscription is still paid at Stripe')
  const stripe = { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_URL: 'http://127.0.0.1:9' }
  await (await start(stripe)).stop()
  await db.updateTable('billing_subscriptions').set({ ended_at: 2 }).execute()
  await (await start({ BILLING: 'none' })).stop()
  await close()
})
