import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startShop } from '../../../testing/servers/stripe-shop.ts'
import { type Member, startTeamServer } from '../../../testing/servers/team-server.ts'

const hour = 3_600_000
const day = 24 * hour

onBothDatabases(
  'PLN-08 of two subscriptions to the same plan the second is ended, and the log asks for a refund',
  async (stage) => {
    const shop = await startShop(stage)
    const member = await shop.createMember()
    const first = (await shop.startPersonal(member)).json()
    const hide = (state: string) =>
      stage.db.updateTable('billing_checkouts').set({ state }).where('id', '=', first.checkout_id).execute()
    // As if the first checkout had been started at the same time, without the lock.
    await hide('paid')
    const second = (await shop.startPersonal(member)).json()
    await hide('open')

    await shop.pay(first.checkout_url)
    await shop.pay(second.checkout_url)

    const [running, ended] = shop.stripe.subscriptions()
    expect([running?.status, ended?.status]).toEqual(['active', 'canceled'])
    expect(await shop.info(member)).toMatchObject({ status: 'active' })
    expect(shop.logged.filter((line) => line.includes(`${ended?.id} was a second one`))).toHaveLength(1)
  },
)

onBothDatabases(
  'PLN-08 the list at Stripe brings what no event has reported, and names what is unknown',
  async (stage) => {
    const shop = await startShop(stage)
    const [member, forgotten] = [await shop.createMember(), await shop.createMember()]
    await shop.buyPersonal(member)
    await shop.buyPersonal(forgotten)
    const [known, unknown] = shop.stripe.subscriptions()
    // As after a restored backup.
    await stage.db.deleteFrom('billing_subscriptions').where('user_id', '=', forgotten.userId).execute()
    await stage.db.deleteFrom('billing_checkouts').where('user_id', '=', forgotten.userId).execute()
    await stage.db.updateTable('billing_subscriptions').set({ status: 'past_due' }).execute()

    await shop.comparePayments()
    await shop.applySubscriptions()

    expect(await shop.info(member)).toMatchObject({ status: 'active' })
    const lines = shop.logged.filter((line) => line.includes('does not know'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(unknown?.id)
    expect(lines[0]).not.toContain(known?.id)
  },
)

onBothDatabases('PLN-08 ADM-04 an admin reads a payment from Stripe that nothing has reported', async (stage) => {
  const shop = await startShop(stage)
  const [admin, member, stranger] = [await shop.createMember(), await shop.createMember(), await shop.createMember()]
  await stage.db.insertInto('admins').values({ user_id: admin.userId, since: 0 }).execute()
  const { checkout_url } = (await shop.startPersonal(member)).json()
  await shop.stripe.pay(checkout_url.split('/').at(-1))
  const sync = ({ bearer }: Member, userId = member.userId) =>
    shop.post(`/api/admin/users/${userId}/sync-subscription`, {}, bearer)
  const detail = async () => (await shop.get(`/api/admin/users/${member.userId}/detailed`, admin.bearer)).json()

  const before = await detail()
  const answers = [await sync(admin), await sync(stranger), await sync(admin, randomUUID())]
  const after = await detail()

  expect([before.can_sync_subscription, before.user.stripe_subscription_id]).toEqual([true, null])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 404])
  const [subscription] = shop.stripe.subscriptions()
  expect(after.user).toMatchObject({
    license_type: 'personal',
    stripe_subscription_id: subscription?.id,
    stripe_customer_id: subscription?.customer,
  })
})

onBothDatabases(
  'PLN-08 what was bought on the test page ends with its month once the server takes payments',
  async (stage) => {
    const tested = await startTeamServer(stage)
    const member = await tested.createMember({ policy: 'remember' })
    const order = { price_id: 'personal', customer_email: member.email, success_url: '/', cancel_url: '/' }
    const started = await tested.post('/api/stripe/create-checkout', order, member.bearer)
    await tested.pay(started.json().checkout_url)
    const page = await tested.post('/api/subscription/manage', { return_path: '/settings' }, member.bearer)

    const shop = await startShop(stage)
    stage.advance(32 * day)
    await shop.applySubscriptions()
    const later = await shop.signIn(member)

    expect([page.statusCode, page.json().code]).toEqual([404, 'NO_PAYMENT_PAGE'])
    expect((await shop.licenceOf(later)).license_type).toBe('trial')
    await shop.buyPersonal(later)
    expect((await shop.licenceOf(later)).license_type).toBe('personal')
  },
)

onBothDatabases(
  'PLN-08 a subscription that Stripe no longer knows ends with its month, and holds nobody back',
  async (stage) => {
    const shop = await startShop(stage)
    const [member, leaving] = [await shop.createMember({ policy: 'remember' }), await shop.createMember()]
    await shop.buyPersonal(member)
    await shop.buyPersonal(leaving)
    // As after a change to the key of another account.
    await stage.db
      .updateTable('billing_subscriptions')
      .set({ provider_id: 'sub_gone' })
      .where('user_id', '=', member.userId)
      .execute()
    await stage.db
      .updateTable('billing_subscriptions')
      .set({ provider_id: 'sub_lost' })
      .where('user_id', '=', leaving.userId)
      .execute()
    const { current_period_end } = await shop.info(member)

    const removed = await shop.app.inject({
      method: 'DELETE',
      url: '/api/account',
      headers: leaving.bearer,
      payload: { password: leaving.password },
    })
    await shop.pass(current_period_end * 1000 - stage.now() + hour)
    await shop.applySubscriptions()
    const later = await shop.signIn(member)
    const info = await shop.info(later)
    await shop.buyPersonal(later)

    expect([removed.statusCode, info.status]).toEqual([200, 'canceled'])
    expect((await shop.licenceOf(later)).license_type).toBe('personal')
  },
)
