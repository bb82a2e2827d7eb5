import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { webhookSecret } from '../../../testing/servers/payments.ts'
import { startShop } from '../../../testing/servers/stripe-shop.ts'
import type { Member } from '../../../testing/servers/team-server.ts'

const hour = 3_600_000
const day = 24 * hour

onBothDatabases('PLN-08 events bring a payment, its renewal, a failed one and its end', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  const bought = await shop.licenceOf(member)
  const { current_period_end: firstEnd } = await shop.info(member)

  await shop.pass(firstEnd * 1000 - stage.now() + hour)
  await shop.deliver()
  const renewed = await shop.info(await shop.signIn(member))
  shop.stripe.setChargeOutcome('decline')
  await shop.pass(renewed.current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()
  const later = await shop.signIn(member)
  const unpaid = await shop.info(later)
  const duringGrace = await shop.licenceOf(later)

  expect(bought.license_type).toBe('personal')
  expect(renewed).toMatchObject({ status: 'active', keep_until: null, has_payment_page: true })
  expect(renewed.current_period_end).toBeGreaterThan(firstEnd)
  expect(unpaid).toMatchObject({ status: 'past_due', keep_until: renewed.current_period_end + 14 * 24 * 3600 })
  expect(duringGrace).toMatchObject({ license_type: 'personal', license_expires_at: unpaid.keep_until * 1000 })
})

onBothDatabases('PLN-08 without a single event a plan begins within a minute, renews and ends', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  const { checkout_id } = (await shop.startPersonal(member)).json()
  const checkout = await stage.db.selectFrom('billing_checkouts').selectAll().where('id', '=', checkout_id).execute()
  await shop.stripe.pay(String(checkout[0]?.provider_id))

  await shop.applySubscriptions()
  const bought = await shop.licenceOf(member)
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 25 * hour)
  await shop.applySubscriptions()
  const renewed = await shop.licenceOf(await shop.signIn(member))
  shop.stripe.setChargeOutcome('decline')
  await shop.pass(31 * day)
  await shop.applySubscriptions()
  const unpaid = await shop.info(await shop.signIn(member))

  expect([bought.license_type, renewed.license_type]).toEqual(['personal', 'personal'])
  expect(renewed.license_expires_at).toBeGreaterThan(bought.license_expires_at)
  expect(unpaid.status).toBe('past_due')
})

onBothDatabases('PLN-08 an event of the past changes nothing: what counts is what Stripe says now', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember()
  await shop.buyPersonal(member)
  await shop.post('/api/subscription/cancel', {}, member.bearer)
  await shop.deliver()
  const before = await shop.info(member)

  // Before it was cancelled. The id is new, so that it is not taken for one that was received.
  const created = shop.stripe.events.find(({ type }) => type === 'customer.subscription.created')
  const body = JSON.stringify({ ...JSON.parse(String(created?.body)), id: 'evt_late' })
  const seconds = Math.floor(stage.now() / 1000)
  const signature = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` }
  const answer = await shop.app.inject({ method: 'POST', url: '/api/stripe/webhook', payload: body, headers })
  await shop.deliver()

  expect(JSON.parse(body).data.object.cancel_at_period_end).toBe(false)
  expect(answer.statusCode).toBe(200)
  expect(before).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(await shop.info(member)).toEqual(before)
})

onBothDatabases('PLN-08 a subscription that is ended at Stripe ends here', async (stage) => {
  const shop = await startShop(stage)
  const owner = await shop.createMember()
  await shop.buy(owner)
  const { id } = shop.subscription()

  const ended = await fetch(`${shop.stripe.url}/v1/subscriptions/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${shop.stripe.key}`, 'stripe-version': '2026-10-28.endive' },
  })
  await shop.deliver()

  expect(ended.status).toBe(200)
  expect((await shop.dashboard(owner)).organization).toMatchObject({ status: 'ended', total_seats: 0 })
  expect((await shop.licenceOf(owner)).license_type).toBe('trial')
})

onBothDatabases('PLN-08 the payment page of Stripe is opened for the own subscription only', async (stage) => {
  const shop = await startShop(stage)
  const [member, other] = [await shop.createMember(), await shop.createMember()]
  await shop.buyPersonal(member)
  const manage = ({ bearer }: Pick<Member, 'bearer'>, return_path = '/settings') =>
    shop.post('/api/subscription/manage', { return_path }, bearer)

  const [opened, without, elsewhere] = [
    await manage(member),
    await manage(other),
    await manage(member, 'https://evil.example/settings'),
  ]

  expect(opened.json().url).toContain(shop.stripe.url)
  expect([without.statusCode, without.json().code]).toEqual([404, 'NO_SUBSCRIPTION'])
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([400, 'RETURN_URL_INVALID'])
})

onBothDatabases(
  'PLN-08 an account asks Stripe 60 times a minute at most, and then sees what is stored',
  async (stage) => {
    const shop = await startShop(stage)
    const member = await shop.createMember()
    await shop.startPersonal(member)
    const before = shop.stripe.requests.length

    for (let count = 0; count < 70; count += 1) expect((await shop.info(member)).status).toBe('none')

    expect(shop.stripe.requests.length - before).toBeLessThanOrEqual(60)
  },
)

onBothDatabases('PLN-08 a former customer is not created again, unless it was deleted at Stripe', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  await shop.post('/api/subscription/cancel', {}, member.bearer)
  await shop.pass((await shop.info(member)).current_period_end * 1000 - stage.now() + hour)
  await shop.buyPersonal(await shop.signIn(member))

  expect(new Set(shop.stripe.subscriptions().map(({ customer }) => customer)).size).toBe(1)
  expect(shop.stripe.subscriptions()).toHaveLength(2)
})
