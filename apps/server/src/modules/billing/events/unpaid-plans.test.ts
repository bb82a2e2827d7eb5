import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { startShop } from '../../../testing/servers/stripe-shop.ts'

const hour = 3_600_000
const day = 24 * hour

/** A member whose personal plan could not be renewed two hours ago. */
async function startUnpaid(stage: Stage) {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  shop.stripe.setChargeOutcome('decline')
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()
  return { shop, member }
}

onBothDatabases('PLN-08 a plan that is unpaid for 14 days is over, and is not charged later', async (stage) => {
  const { shop, member } = await startUnpaid(stage)
  const charges = shop.stripe.charges.length

  await shop.pass(14 * day)
  await shop.applySubscriptions()
  shop.stripe.setChargeOutcome('pay')
  await shop.pass(60 * day)
  await shop.deliver()

  expect(shop.subscription().status).toBe('canceled')
  expect(shop.stripe.charges).toHaveLength(charges)
  const later = await shop.signIn(member)
  expect(await shop.info(later)).toMatchObject({ status: 'canceled' })
  expect((await shop.startPersonal(later)).statusCode).toBe(200)
})

onBothDatabases('PLN-08 an unpaid plan continues once its invoice is paid', async (stage) => {
  const { shop, member } = await startUnpaid(stage)
  const open = shop.stripe.invoices().find(({ status }) => status === 'open')
  await shop.stripe.payInvoice(String(open?.id))
  await shop.deliver()

  const later = await shop.signIn(member)
  expect(await shop.info(later)).toMatchObject({ status: 'active', keep_until: null })
})

onBothDatabases('PLN-08 a plan that was paid a moment ago is not ended by another purchase', async (stage) => {
  const { shop, member } = await startUnpaid(stage)
  await shop.pass(14 * day)
  const open = shop.stripe.invoices().find(({ status }) => status === 'open')
  await shop.stripe.payInvoice(String(open?.id))

  const started = await shop.startPersonal(await shop.signIn(member))

  expect([started.statusCode, started.json().code]).toEqual([409, 'ALREADY_SUBSCRIBED'])
  expect(shop.subscription().status).toBe('active')
})

onBothDatabases('PLN-08 the invoice of an unpaid plan that is over can no longer be paid', async (stage) => {
  const { shop, member } = await startUnpaid(stage)
  await shop.pass(14 * day)
  await shop.startPersonal(await shop.signIn(member))

  expect(shop.subscription().status).toBe('canceled')
  expect(shop.stripe.invoices().filter(({ status }) => status === 'open')).toEqual([])
})
