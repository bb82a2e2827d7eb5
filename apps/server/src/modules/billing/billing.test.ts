import { expect, test } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { type AccountServer, startAccountServer } from '../../testing/servers/account-server.ts'
import { createTestPayments, onEachProvider, type Payments } from '../../testing/servers/payments.ts'
import { ownOrigin } from '../../testing/servers/test-context.ts'
import { type BillingMode, billingModeOf, billingWarningOf } from './billing-mode.ts'

const hour = 3_600_000
const day = 24 * hour
const gigabyte = 1024 ** 3
type Member = Awaited<ReturnType<AccountServer['createMember']>>

const orderOf = ({ email }: Pick<Member, 'email'>) => ({
  price_id: 'personal',
  customer_email: email,
  success_url: `${ownOrigin}/upgrade-success?plan=personal`,
  cancel_url: `${ownOrigin}/settings`,
})

async function startShop(stage: Stage, payments: Payments = createTestPayments(stage), billing?: BillingMode) {
  const server = await startAccountServer(stage, { ...payments.options, ...(billing && { billing }) })
  const member = await server.createMember({ policy: 'remember' })
  const { bearer } = member
  const start = (changes: object = {}, headers: Record<string, string> = bearer) =>
    server.post('/api/stripe/create-checkout', { ...orderOf(member), ...changes }, headers)
  const checkoutIdOf = (answer: Awaited<ReturnType<typeof start>>): string =>
    answer.json().checkout_url.split('/').at(-1)
  /** Pays on the test page. */
  const pay = (id: string) => server.post(`/api/billing/test-checkouts/${id}/pay`, {})
  const payAnywhere = (id: string): Promise<boolean> => payments.pay(server, id)
  return {
    ...server,
    ...member,
    start,
    pay,
    payAnywhere,
    checkoutIdOf,
    buy: async () => payAnywhere(checkoutIdOf(await start())),
    info: async () => (await server.get('/api/subscription/info', bearer)).json(),
    /** Signs in again after a move of the clock. Returns the rest of the answer. */
    async signIn() {
      const { session, ...answer } = (
        await server.post('/api/login', { email: member.email, password: member.password })
      ).json()
      bearer.authorization = `Bearer ${session.access_token}`
      return answer
    },
    cancel: () => server.post('/api/subscription/cancel', {}, bearer),
    licence: async () => (await server.get('/api/user-info', bearer)).json().user,
  }
}

onBothDatabases('PLN-04 the test page shows what it sells, and takes or declines the payment', async (stage) => {
  const shop = await startShop(stage)
  const started = await shop.start()
  const id = shop.checkoutIdOf(started)

  const shown = (await shop.get(`/api/billing/test-checkouts/${id}`)).json()
  const declined = await shop.post(`/api/billing/test-checkouts/${id}/decline`, {})
  const afterDecline = await shop.licence()
  const paid = await shop.pay(id)

  expect(started.json()).toMatchObject({ success: true, checkout_url: `${ownOrigin}/checkout/test/${id}` })
  expect(shown).toMatchObject({ state: 'open', price_cents: 1000, customer_email: shop.email })
  expect([declined.statusCode, declined.json().code]).toEqual([402, 'PAYMENT_DECLINED'])
  expect(afterDecline.license_type).toBe('trial')
  expect(paid.json()).toEqual({ success: true, success_url: `${ownOrigin}/upgrade-success?plan=personal` })
})

onEachProvider(
  'PLN-04 PLN-05 a personal plan is bought, renewed, cancelled and followed by a trial',
  async (stage, payments) => {
    const shop = await startShop(stage, payments)
    const boughtAt = stage.now()
    const before = await shop.info()

    const started = await shop.start()
    const id = shop.checkoutIdOf(started)
    const beforePayment = await shop.licence()
    const isPaid = await shop.payAnywhere(id)

    expect(before).toEqual({
      success: true,
      plan: null,
      status: 'none',
      price_cents: null,
      seats: null,
      cancel_at_period_end: false,
      current_period_end: null,
      keep_until: null,
      has_payment_page: false,
    })
    expect([beforePayment.license_type, isPaid]).toEqual(['trial', true])
    expect(await shop.licence()).toMatchObject({ license_type: 'personal', storage_limit_bytes: 50 * gigabyte })
    const active = await shop.info()
    expect(active).toMatchObject({
      status: 'active',
      price_cents: 1000,
      cancel_at_period_end: false,
      keep_until: null,
      has_payment_page: payments.kind === 'stripe',
    })
    const periodEnd = active.current_period_end * 1000
    expect([27, 28, 29, 30, 31].map((days) => Math.floor((boughtAt + days * day) / 1000))).toContain(
      active.current_period_end,
    )

    stage.advance(periodEnd - stage.now() + hour)
    await shop.applySubscriptions()
    await shop.signIn()
    const renewed = await shop.info()
    expect(renewed).toMatchObject({ status: 'active', cancel_at_period_end: false })
    expect(renewed.current_period_end).toBeGreaterThan(active.current_period_end)

    const [cancelled, again] = [await shop.cancel(), await shop.cancel()]
    expect(cancelled.json().message).toMatch(/^Your plan stays until \w+ \d+, \d{4}\.$/)
    expect(again.json()).toEqual(cancelled.json())
    expect(await shop.info()).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect((await shop.licence()).license_expires_at).toBe(renewed.current_period_end * 1000)
  },
)

onEachProvider(
  'PLN-05 after a cancelled period the account has a trial of 1 GB for 7 days, then nothing',
  async (stage, payments) => {
    const shop = await startShop(stage, payments)
    await shop.buy()
    await shop.cancel()
    const { current_period_end } = await shop.info()
    const settings = async () => (await shop.get('/api/settings', shop.bearer)).statusCode

    stage.advance(current_period_end * 1000 - stage.now() + 1000)
    await shop.signIn()
    const after = await shop.licence()
    const allowed = await settings()
    stage.advance(7 * day)
    const answer = await shop.signIn()

    expect(after).toMatchObject({
      license_type: 'trial',
      storage_limit_bytes: gigabyte,
      license_expires_at: (current_period_end + 7 * 24 * 3600) * 1000,
    })
    expect(allowed).toBe(200)
    expect(answer).toMatchObject({ upgrade_required: true })
    expect(await settings()).toBe(402)
    expect(await shop.info()).toMatchObject({ status: 'canceled', cancel_at_period_end: true })
  },
)

onBothDatabases('T105 T218 T219 T248 a checkout of another account, price or site is refused', async (stage) => {
  const shop = await startShop(stage)
  const other = await shop.createMember()
  const refused = async (changes: object) => {
    const { statusCode, json } = await shop.start(changes)
    return [statusCode, json().code]
  }

  expect(await refused({ customer_email: other.email })).toEqual([400, 'CHECKOUT_MISMATCH'])
  expect(await refused({ user_id: other.userId })).toEqual([400, 'CHECKOUT_MISMATCH'])
  expect(await refused({ price_id: 'business' })).toEqual([400, 'PRICE_UNKNOWN'])
  for (const address of ['https://evil.example/settings', '//evil.example/', `${ownOrigin}/admin`, 'javascript:1', ''])
    expect(await refused({ success_url: address })).toEqual(
      address === '' ? [200, undefined] : [400, 'RETURN_URL_INVALID'],
    )
  expect(await refused({ cancel_url: `${ownOrigin}.evil.example/` })).toEqual([400, 'RETURN_URL_INVALID'])
  expect((await shop.start({}, {})).statusCode).toBe(401)
  expect((await shop.get('/api/subscription/info')).statusCode).toBe(401)
  expect((await shop.post('/api/subscription/cancel', {})).statusCode).toBe(401)
  expect([(await shop.cancel()).statusCode, (await shop.cancel()).json().code]).toEqual([404, 'NO_SUBSCRIPTION'])
  expect((await shop.pay('tcs_unknown')).json().code).toBe('CHECKOUT_NOT_FOUND')
  expect((await shop.licence()).license_type).toBe('trial')
})

onBothDatabases('PLN-04 a test checkout that is paid three times at once starts one subscription', async (stage) => {
  const shop = await startShop(stage)
  const id = shop.checkoutIdOf(await shop.start())

  const payments = await Promise.all([shop.pay(id), shop.pay(id), shop.pay(id)])

  expect(payments.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(await stage.db.selectFrom('test_subscriptions').select('id').execute()).toHaveLength(1)
})

onEachProvider('PLN-04 two clicks, two tabs and two payments make one subscription', async (stage, payments) => {
  const shop = await startShop(stage, payments)
  const [one, two] = await Promise.all([shop.start(), shop.start()])
  const elsewhere = await shop.start({ success_url: `${ownOrigin}/` })

  const first = shop.checkoutIdOf(one)
  const second = shop.checkoutIdOf(elsewhere)
  const late = await shop.payAnywhere(first)
  const paid = [await shop.payAnywhere(second), await shop.payAnywhere(second)]

  expect(shop.checkoutIdOf(two)).toBe(first)
  expect([late, ...paid]).toEqual([false, true, true])
  expect(await stage.db.selectFrom('billing_subscriptions').select('provider_id').execute()).toHaveLength(1)
  expect(await payments.laterCharges()).toEqual([])
  expect((await shop.start()).json().code).toBe('ALREADY_SUBSCRIBED')
})

onBothDatabases('PLN-04 a payment counts although nobody came back from it', async (stage) => {
  const shop = await startShop(stage)
  const id = shop.checkoutIdOf(await shop.start())
  // As after a crash of the server between the payment and its application.
  await stage.db
    .insertInto('test_subscriptions')
    .values({
      id: 'tsub_1',
      price_cents: 1000,
      quantity: 1,
      declines_charges: 0,
      started_at: stage.now(),
      ends_at: null,
    })
    .execute()
  await stage.db.updateTable('test_checkouts').set({ subscription_id: 'tsub_1' }).where('id', '=', id).execute()

  const before = await shop.licence()
  await shop.applySubscriptions()

  expect(before.license_type).toBe('trial')
  expect((await shop.licence()).license_type).toBe('personal')
})

onEachProvider(
  'ACC-04 PLN-04 the session of an account whose trial ended long ago can only buy a plan',
  async (stage, payments) => {
    const shop = await startShop(stage, payments)
    stage.advance(40 * day)
    const rejected = await shop.post('/api/login', { email: shop.email, password: shop.password })
    const limited = { authorization: `Bearer ${rejected.json().session.access_token}` }

    const started = await shop.start({}, limited)
    const others = [await shop.get('/api/files', limited), await shop.get('/api/settings', limited)]
    await shop.payAnywhere(shop.checkoutIdOf(started))
    const info = (await shop.get('/api/subscription/info', limited)).json()

    expect([rejected.statusCode, rejected.json().code]).toEqual([403, 'TRIAL_EXPIRED'])
    expect(started.statusCode).toBe(200)
    expect(others.map(({ statusCode }) => statusCode).filter((status) => status < 400)).toEqual([])
    expect(info.status).toBe('active')
    expect(await shop.signIn()).toMatchObject({ success: true, upgrade_required: false })
  },
)

onEachProvider('PLN-04 a cancelled plan is bought again only after its end', async (stage, payments) => {
  const shop = await startShop(stage, payments)
  await shop.buy()
  await shop.cancel()
  const during = await shop.start()
  stage.advance((await shop.info()).current_period_end * 1000 - stage.now() + 1000)
  await shop.signIn()
  const after = await shop.buy()

  expect([during.statusCode, during.json().code]).toEqual([409, 'ALREADY_SUBSCRIBED'])
  expect(after).toBe(true)
  expect(await shop.info()).toMatchObject({ status: 'active', cancel_at_period_end: false })
})

onBothDatabases('PLN-04 one checkout that cannot be read does not keep the payments of others back', async (stage) => {
  const shop = await startShop(stage)
  const broken = shop.checkoutIdOf(await shop.start())
  await stage.db.deleteFrom('test_checkouts').where('id', '=', broken).execute()
  const other = await shop.createMember()
  const id = shop.checkoutIdOf(await shop.post('/api/stripe/create-checkout', orderOf(other), other.bearer))
  await stage.db
    .insertInto('test_subscriptions')
    .values({
      id: 'tsub_2',
      price_cents: 1000,
      quantity: 1,
      declines_charges: 0,
      started_at: stage.now(),
      ends_at: null,
    })
    .execute()
  await stage.db.updateTable('test_checkouts').set({ subscription_id: 'tsub_2' }).where('id', '=', id).execute()

  await shop.applySubscriptions()

  const { user } = (await shop.get('/api/user-info', other.bearer)).json()
  expect(user.license_type).toBe('personal')
})

onBothDatabases('PLN-04 a checkout ends with its account, and is deleted a month after it expired', async (stage) => {
  const shop = await startShop(stage)
  const id = shop.checkoutIdOf(await shop.start())
  const count = async (table: 'billing_checkouts' | 'test_checkouts') =>
    (await stage.db.selectFrom(table).select('id').execute()).length
  stage.advance(hour)
  await shop.applySubscriptions()
  const expired = (await shop.get(`/api/billing/test-checkouts/${id}`)).json()
  stage.advance(31 * day)
  await shop.applySubscriptions()
  const counts = [await count('billing_checkouts'), await count('test_checkouts')]

  const other = await shop.createMember()
  const open = shop.checkoutIdOf(await shop.post('/api/stripe/create-checkout', orderOf(other), other.bearer))
  await stage.db.deleteFrom('users').where('id', '=', other.userId).execute()
  const shown = await shop.get(`/api/billing/test-checkouts/${open}`)

  expect(expired).toMatchObject({ state: 'expired', customer_email: '' })
  expect(counts).toEqual([0, 0])
  expect([shown.statusCode, (await shop.pay(open)).statusCode]).toEqual([404, 404])
})

onBothDatabases('PLN-04 a checkout expires after an hour, and its page says so', async (stage) => {
  const shop = await startShop(stage)
  const id = shop.checkoutIdOf(await shop.start())

  stage.advance(hour)

  expect((await shop.get(`/api/billing/test-checkouts/${id}`)).json().state).toBe('expired')
  expect((await shop.pay(id)).json().code).toBe('CHECKOUT_EXPIRED')
  expect((await shop.post(`/api/billing/test-checkouts/${id}/decline`, {})).json().code).toBe('CHECKOUT_EXPIRED')
  expect((await shop.info()).status).toBe('none')
})

onBothDatabases('PLN-04 where plans are not sold there is no checkout', async (stage) => {
  const shop = await startShop(stage, createTestPayments(stage), 'none')

  expect([(await shop.start()).statusCode, (await shop.start()).json().code]).toEqual([404, 'PAYMENTS_OFF'])
  expect((await shop.info()).status).toBe('none')
})

test.for([
  [{}, 'http://localhost:8080', 'test'],
  [{}, 'http://127.0.0.1', 'test'],
  [{}, 'https://files.example', 'contact'],
  [{ DEFAULT_PLAN: 'personal' }, 'http://localhost:8080', 'none'],
  [{ BILLING: 'contact' }, 'http://localhost:8080', 'contact'],
  [{ BILLING: 'test' }, 'https://files.example', 'test'],
  [{ BILLING: 'none' }, 'https://files.example', 'none'],
] as const)('PLN-04 with %j at %s the billing mode is %s', ([settings, publicUrl, mode]) => {
  expect(billingModeOf(settings, new URL(publicUrl))).toBe(mode)
})

test.for([
  [{ HOST: '127.0.0.1' }, 'http://localhost:8080', null],
  [{ HOST: '0.0.0.0' }, 'http://localhost:8080', 'without paying'],
  [{ HOST: '127.0.0.1', BILLING: 'test' }, 'https://files.example', 'without paying'],
  [{ HOST: '0.0.0.0' }, 'https://files.example', 'contact you'],
  [{ HOST: '0.0.0.0', BILLING: 'contact' }, 'https://files.example', null],
  [{ HOST: '0.0.0.0', BILLING: 'none' }, 'https://files.example', null],
] as const)('PLN-04 with %j at %s the start warns: %s', ([settings, publicUrl, warning]) => {
  const found = billingWarningOf(settings, new URL(publicUrl))
  if (warning === null) expect(found).toBeNull()
  else expect(found).toContain(warning)
})
