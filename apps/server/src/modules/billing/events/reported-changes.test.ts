import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { startStripePayments, webhookSecret } from '../../../testing/servers/payments.ts'
import { type Member, startTeamServer } from '../../../testing/servers/team-server.ts'

const hour = 3_600_000
const day = 24 * hour

async function startShop(stage: Stage) {
  const { payments, stripe, deliver } = await startStripePayments(stage)
  const server = await startTeamServer(stage, { payments })

  async function signIn(member: Member): Promise<Member> {
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { ...member, bearer: { authorization: `Bearer ${session.access_token}` } }
  }
  const startPersonal = async ({ email, bearer }: Member) =>
    server.post(
      '/api/stripe/create-checkout',
      { price_id: 'personal', customer_email: email, success_url: '/', cancel_url: '/' },
      bearer,
    )
  return {
    ...server,
    stripe,
    deliver: () => deliver(server),
    signIn,
    startPersonal,
    async buyPersonal(member: Member) {
      await server.pay((await startPersonal(member)).json().checkout_url)
    },
    info: async ({ bearer }: Member, plan = 'personal') =>
      (await server.get(`/api/subscription/info?plan=${plan}`, bearer)).json(),
    /** The only subscription at Stripe. */
    subscription() {
      const [subscription] = stripe.subscriptions()
      if (subscription === undefined) throw new Error('There is no subscription')
      return subscription
    },
    /** Moves all clocks, and lets Stripe do what is due. */
    async pass(ms: number) {
      stage.advance(ms)
      await stripe.tick()
    },
  }
}

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

onBothDatabases('PLN-08 a plan that is unpaid for 14 days is over, and is not charged later', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  shop.stripe.setChargeOutcome('decline')
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()
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
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  shop.stripe.setChargeOutcome('decline')
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()

  const open = shop.stripe.invoices().find(({ status }) => status === 'open')
  await shop.stripe.payInvoice(String(open?.id))
  await shop.deliver()

  const later = await shop.signIn(member)
  expect(await shop.info(later)).toMatchObject({ status: 'active', keep_until: null })
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

onBothDatabases('PLN-08 a plan that was paid a moment ago is not ended by another purchase', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  shop.stripe.setChargeOutcome('decline')
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()
  await shop.pass(14 * day)
  const open = shop.stripe.invoices().find(({ status }) => status === 'open')
  await shop.stripe.payInvoice(String(open?.id))

  const started = await shop.startPersonal(await shop.signIn(member))

  expect([started.statusCode, started.json().code]).toEqual([409, 'ALREADY_SUBSCRIBED'])
  expect(shop.subscription().status).toBe('active')
})

onBothDatabases('PLN-08 the invoice of an unpaid plan that is over can no longer be paid', async (stage) => {
  const shop = await startShop(stage)
  const member = await shop.createMember({ policy: 'remember' })
  await shop.buyPersonal(member)
  shop.stripe.setChargeOutcome('decline')
  const { current_period_end } = await shop.info(member)
  await shop.pass(current_period_end * 1000 - stage.now() + 2 * hour)
  await shop.deliver()
  await shop.pass(14 * day)
  await shop.startPersonal(await shop.signIn(member))

  expect(shop.subscription().status).toBe('canceled')
  expect(shop.stripe.invoices().filter(({ status }) => status === 'open')).toEqual([])
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
