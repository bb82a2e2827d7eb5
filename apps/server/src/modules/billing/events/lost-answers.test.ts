import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startShop } from '../../../testing/servers/stripe-shop.ts'

const hour = 3_600_000

onBothDatabases('T227 seats that the bank asks about are there once the buyer has confirmed', async (stage) => {
  const shop = await startShop(stage)
  const owner = await shop.createMember()
  await shop.buy(owner)
  shop.stripe.setChargeOutcome('action')

  const asked = await shop.addSeats(owner, 2, 'once')
  const before = (await shop.dashboard(owner)).organization.total_seats
  const payUrl = String(asked.json().details.pay_url)
  const open = shop.stripe.invoices().find(({ hosted_invoice_url }) => hosted_invoice_url === payUrl)
  await shop.stripe.payInvoice(String(open?.id))
  await shop.deliver()

  expect([asked.statusCode, asked.json().code, before]).toEqual([402, 'PAYMENT_UNCONFIRMED', 5])
  expect((await shop.dashboard(owner)).organization.total_seats).toBe(7)
  expect(await shop.charges()).toHaveLength(1)
})

onBothDatabases('PLN-08 answers of Stripe that are lost charge nothing twice', async (stage) => {
  const shop = await startShop(stage)
  const owner = await shop.createMember()
  const lose = (path: RegExp) => shop.stripe.fail({ times: 1, how: 'lost-answer', method: 'POST', path })

  lose(/^\/v1\/checkout\/sessions$/)
  const bought = await shop.buy(owner)
  lose(/^\/v1\/subscriptions\//)
  const added = await shop.addSeats(owner, 2, 'once')
  lose(/^\/v1\/subscriptions\//)
  const cancelled = await shop.post('/api/subscription/cancel?plan=business', {}, owner.bearer)

  expect([bought, added.json().total_seats, cancelled.statusCode]).toEqual([true, 7, 200])
  expect(shop.stripe.charges).toHaveLength(2)
  expect(shop.stripe.checkouts()).toHaveLength(1)
  expect(shop.subscription()).toMatchObject({ cancel_at_period_end: true })
})

onBothDatabases(
  'PLN-08 an order of seats whose answers are all lost is finished later, and charged once',
  async (stage) => {
    const shop = await startShop(stage)
    const owner = await shop.createMember()
    await shop.buy(owner)
    shop.stripe.fail({ times: 2, how: 'lost-answer', method: 'POST', path: /^\/v1\/subscriptions\// })

    const lost = await shop.addSeats(owner, 2, 'once')
    const again = await shop.addSeats(owner, 2, 'once')

    expect([lost.statusCode, lost.json().code, lost.headers['retry-after']]).toEqual([503, 'PAYMENTS_AWAY', '5'])
    expect(again.json().total_seats).toBe(7)
    expect(await shop.charges()).toHaveLength(1)
  },
)

onBothDatabases('PLN-08 while Stripe fails, plans stay as they are and a purchase says so', async (stage) => {
  const shop = await startShop(stage)
  const [member, other] = [await shop.createMember({ policy: 'remember' }), await shop.createMember()]
  await shop.buyPersonal(member)
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + hour)
  shop.stripe.fail({ times: 1000, how: 'unavailable' })

  const later = await shop.signIn(member)
  const info = await shop.info(later)
  const licence = await shop.licenceOf(later)
  const started = await shop.startPersonal(await shop.signIn(other))
  await shop.applySubscriptions()
  shop.stripe.clearFaults()
  await shop.pass(hour)
  await shop.applySubscriptions()

  expect(info).toMatchObject({ status: 'active', current_period_end })
  expect(licence.license_type).toBe('personal')
  expect([started.statusCode, started.json().error]).toEqual([503, 'The payment service isn’t responding. Try again.'])
  expect((await shop.info(await shop.signIn(member))).current_period_end).toBeGreaterThan(current_period_end)
})

onBothDatabases(
  'T227 seats that were confirmed at the bank are neither forgotten nor taken away without an event',
  async (stage) => {
    const shop = await startShop(stage)
    const owner = await shop.createMember()
    await shop.buy(owner)
    shop.stripe.setChargeOutcome('action')
    const asked = await shop.addSeats(owner, 5, 'five')
    const open = shop.stripe
      .invoices()
      .find(({ hosted_invoice_url }) => hosted_invoice_url === asked.json().details.pay_url)
    await shop.stripe.payInvoice(String(open?.id))
    shop.stripe.setChargeOutcome('pay')

    const more = await shop.addSeats(owner, 1, 'one')
    await shop.applySubscriptions()

    expect(more.json().total_seats).toBe(11)
    expect((await shop.dashboard(owner)).organization.total_seats).toBe(11)
    expect(await shop.charges()).toHaveLength(2)
  },
)

onBothDatabases('PLN-08 many payments that cannot be read are each tried once a run', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember()
  await shop.buyPersonal(member)
  const [row] = await stage.db.selectFrom('billing_subscriptions').selectAll().execute()
  if (!row) throw new Error('Nothing is stored')
  const ids = Array.from({ length: 150 }, (_, index) => `sub_${index}`)
  for (const provider_id of ids)
    await stage.db
      .insertInto('billing_subscriptions')
      .values({ ...row, provider_id, applied_at: 0 })
      .execute()
  shop.stripe.fail({ times: 10_000, how: 'error' })
  const before = shop.stripe.requests.length

  await shop.applySubscriptions()

  // Four are asked for at once, each of them twice; then Stripe is taken to be away.
  expect(shop.stripe.requests.length - before).toBeLessThanOrEqual(8)
})
