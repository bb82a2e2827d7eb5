import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { onEachProvider } from '../../testing/servers/payments.ts'
import { startTeamServer } from '../../testing/servers/team-server.ts'

const day = 24 * 3_600_000

onBothDatabases('PLN-04 the test page shows what it sells, and is paid once', async (stage) => {
  const server = await startTeamServer(stage)
  const owner = await server.createMember()
  const id = (await server.startCheckout(owner)).json().checkout_url.split('/').at(-1)
  const pay = () => server.post(`/api/billing/test-checkouts/${id}/pay`, {})

  const shown = (await server.get(`/api/billing/test-checkouts/${id}`)).json()
  const [paid, again] = [await pay(), await pay()]

  expect(shown).toMatchObject({ plan: 'business', quantity: 5, price_cents: 800, organization_name: 'Blue Whale' })
  expect(paid.json().success_url).toContain(`/business-success?session_id=${id}`)
  expect(again.json()).toEqual(paid.json())
})

onEachProvider('PLN-04 ORG-01 ORG-02 an organization exists once its seats are paid for', async (stage, payments) => {
  const server = await startTeamServer(stage, { payments })
  const owner = await server.createMember()

  const started = await server.startCheckout(owner)
  const { checkout_url } = started.json()
  const beforePayment = await server.get('/api/organization/dashboard', owner.bearer)
  const paid = [await server.pay(checkout_url), await server.pay(checkout_url)]
  const { organization, members, pending_invitations } = await server.dashboard(owner)

  expect([beforePayment.statusCode, beforePayment.json().error]).toEqual([
    404,
    'No organization found. Please contact support.',
  ])
  expect(paid).toEqual([true, true])
  expect(organization).toMatchObject({
    name: 'Blue Whale',
    status: 'active',
    ends_at: null,
    total_seats: 5,
    used_seats: 1,
    available_seats: 4,
    monthly_cost_cents: 4000,
    your_role: 'owner',
    abilities: { invite: true, invite_admins: true, add_seats: true, cancel: true, buy: false },
  })
  expect(members).toMatchObject([{ user_id: owner.userId, email: owner.email, role: 'owner', file_count: 0 }])
  expect(pending_invitations).toEqual([])
  expect(await server.licenceOf(owner)).toMatchObject({ license_type: 'business', storage_limit_bytes: 50 * 1024 ** 3 })
  expect((await server.get('/api/subscription/info', owner.bearer)).json()).toMatchObject({
    plan: 'business',
    status: 'active',
    price_cents: 4000,
    seats: 5,
  })
  expect(await stage.db.selectFrom('organizations').selectAll().execute()).toHaveLength(1)
})

onBothDatabases(
  'T105 T218 T228 T248 T219 other buyers, prices, quantities, names and pages are rejected',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, other] = [await server.createMember(), await server.createMember()]
    const codeFor = async (changes: object) => {
      const { statusCode, json } = await server.startCheckout(owner, changes)
      return [statusCode, json().code]
    }

    expect(await codeFor({ user_id: other.userId })).toEqual([400, 'CHECKOUT_MISMATCH'])
    expect(await codeFor({ customer_email: other.email })).toEqual([400, 'CHECKOUT_MISMATCH'])
    for (const quantity of [0, -1, 1.5, 4, 1001, 1e9])
      expect(await codeFor({ quantity }), String(quantity)).toEqual([400, 'QUANTITY_INVALID'])
    for (const quantity of [null, '5', [], {}])
      expect(await codeFor({ quantity }), String(quantity)).toEqual([400, 'BAD_REQUEST'])
    for (const name of ['', ' \u00a0 '])
      expect(await codeFor({ organization_name: name })).toEqual([400, 'ORGANIZATION_NAME_MISSING'])
    for (const name of ['https://evil.example', 'www.evil', 'a\u202eb', 'a\nb', '<b>', 'me@evil', 'x'.repeat(81)])
      expect(await codeFor({ organization_name: name }), name).toEqual([400, 'ORGANIZATION_NAME_INVALID'])
    for (const page of ['https://evil.example/business', '//evil.example', '/admin', 'javascript:alert(1)'])
      expect(await codeFor({ success_url: page }), page).toEqual([400, 'RETURN_URL_INVALID'])

    expect(await stage.db.selectFrom('billing_checkouts').selectAll().execute()).toEqual([])
    expect((await server.get('/api/organization/dashboard', owner.bearer)).statusCode).toBe(404)
  },
)

onEachProvider(
  'PLN-04 one business plan for an account: an owner buys no second one, a member none',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const [owner, member] = [await server.createMember(), await server.createMember()]
    await server.buy(owner)
    await server.addMember(owner, member)

    expect((await server.startCheckout(owner)).json().code).toBe('ALREADY_SUBSCRIBED')
    expect((await server.startCheckout(member)).json().code).toBe('ALREADY_IN_ORGANIZATION')
  },
)

onEachProvider(
  'PLN-04 an open checkout of seats is offered again, and ends with the next one',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember()
    const start = async (changes: object = {}) => (await server.startCheckout(owner, changes)).json().checkout_url

    const first = await start()
    const again = await start()
    const larger = await start({ quantity: 6 })
    const renamed = await start({ quantity: 6, organization_name: 'Green Whale' })

    expect(again).toBe(first)
    expect(new Set([first, larger, renamed]).size).toBe(3)
    for (const url of [first, larger]) expect(await server.pay(url)).toBe(false)
    expect(await server.pay(renamed)).toBe(true)
    expect((await server.dashboard(owner)).organization).toMatchObject({ name: 'Green Whale', total_seats: 6 })
  },
)

onEachProvider(
  'PLN-04 T221 a plan that is bought again has a seat for everyone who is in the team',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember({ policy: 'remember' })
    await server.buy(owner, { quantity: 6 })
    const members = await Promise.all(Array.from({ length: 5 }, () => server.createMember({ policy: 'remember' })))
    for (const member of members) await server.addMember(owner, member)
    await server.post('/api/subscription/cancel?plan=business', {}, owner.bearer)
    stage.advance((await server.dashboard(owner)).organization.ends_at - stage.now())
    await server.applySubscriptions()
    const { email, password } = owner
    const { session } = (await server.post('/api/login', { email, password })).json()
    const later = { ...owner, bearer: { authorization: `Bearer ${session.access_token}` } }

    const fewer = await server.startCheckout(later, { quantity: 5 })
    await server.buy(later, { quantity: 6 })
    const invited = await server.invite(later, 'seventh@example.org')
    const { organization } = await server.dashboard(later)

    expect([fewer.statusCode, fewer.json().error]).toEqual([400, 'Choose between 6 and 1000 seats'])
    expect(organization).toMatchObject({ status: 'active', total_seats: 6, used_seats: 6, available_seats: 0 })
    expect([invited.statusCode, invited.json().code]).toEqual([409, 'NO_SEATS'])
  },
)

onBothDatabases('PLN-04 P22 where plans are not sold there are no seats to buy', async (stage) => {
  const server = await startTeamServer(stage, { billing: 'contact' })
  const owner = await server.createMember()
  const answers = [await server.startCheckout(owner), await server.addSeats(owner, 1)]

  expect(answers.map(({ statusCode, json }) => [statusCode, json().code])).toEqual([
    [404, 'PAYMENTS_OFF'],
    [404, 'NO_ORGANIZATION'],
  ])
  expect(await stage.db.selectFrom('billing_checkouts').selectAll().execute()).toEqual([])
})

onBothDatabases('ORG-08 calls without a token say so', async (stage) => {
  const server = await startTeamServer(stage)
  const answers = await Promise.all([
    server.get('/api/organization/dashboard'),
    server.post('/api/organization/invite', { email: 'mara@example.org' }),
    server.post('/api/organization/add-seats', { additional_seats: 1 }),
    server.remove('/api/organization/clear-invitations'),
    server.get('/api/admin/stats'),
    server.get('/api/admin/users'),
  ])

  for (const answer of answers.filter(({ statusCode }) => statusCode !== 404))
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'No authentication token available'])
  expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeGreaterThan(4)
})

onEachProvider('PLN-05 who buys seats keeps the personal plan until its month ends', async (stage, payments) => {
  const server = await startTeamServer(stage, { payments })
  const owner = await server.createMember()
  const order = { price_id: 'personal', customer_email: owner.email, success_url: '/', cancel_url: '/' }
  const started = await server.post('/api/stripe/create-checkout', order, owner.bearer)
  await server.pay(started.json().checkout_url)

  await server.buy(owner)

  const infoOf = async (plan: string) => (await server.get(`/api/subscription/info?plan=${plan}`, owner.bearer)).json()
  expect(await infoOf('personal')).toMatchObject({ plan: 'personal', status: 'active', cancel_at_period_end: true })
  expect(await infoOf('business')).toMatchObject({ plan: 'business', status: 'active', cancel_at_period_end: false })
  expect((await server.licenceOf(owner)).license_type).toBe('personal')
})

onEachProvider(
  'PLN-05 T220 after the end of a cancelled business plan everyone is on a trial',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const [owner, member] = [
      await server.createMember({ policy: 'remember' }),
      await server.createMember({ policy: 'remember' }),
    ]
    await server.buy(owner)
    await server.addMember(owner, member)

    const cancelled = await server.post('/api/subscription/cancel?plan=business', {}, owner.bearer)
    const ending = await server.dashboard(owner)
    const seat = await server.licenceOf(member)
    stage.advance(ending.organization.ends_at - stage.now())
    await server.applySubscriptions()
    const signIn = async ({ email, password }: typeof owner) => {
      const { session } = (await server.post('/api/login', { email, password })).json()
      return { authorization: `Bearer ${session.access_token}` }
    }
    const infos = await Promise.all(
      [owner, member].map(async (one) => (await server.get('/api/user-info', await signIn(one))).json().user),
    )
    const ended = (await server.get('/api/organization/dashboard', await signIn(owner))).json()

    expect(cancelled.json().message).toContain('Your plan stays until')
    expect(ending.organization).toMatchObject({ status: 'ending', abilities: { cancel: false } })
    expect(seat).toMatchObject({ license_type: 'business', license_expires_at: ending.organization.ends_at })
    const trial = {
      license_type: 'trial',
      storage_limit_bytes: 1024 ** 3,
      license_expires_at: ending.organization.ends_at + 7 * day,
    }
    expect(infos).toMatchObject([trial, trial])
    expect(ended.organization).toMatchObject({
      status: 'ended',
      total_seats: 0,
      used_seats: 2,
      abilities: { invite: false, add_seats: false, cancel: false, buy: true },
    })
    expect(ended.members).toHaveLength(2)
  },
)

onEachProvider(
  'ORG-03 more seats are previewed, charged for the rest of the month, and there at once',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember({ policy: 'remember' })
    await server.buy(owner)
    const { current_period_end: end } = (await server.get('/api/subscription/info', owner.bearer)).json()
    stage.advance(Math.floor((end * 1000 - stage.now()) / 2))
    const { session } = (await server.post('/api/login', { email: owner.email, password: owner.password })).json()
    const later = { ...owner, bearer: { authorization: `Bearer ${session.access_token}` } }

    const preview = await server.post('/api/organization/seats/preview', { additional_seats: 2 }, later.bearer)
    const added = await server.addSeats(later, 2)

    expect(preview.json()).toEqual({ success: true, now_cents: 800, monthly_cents: 5600, total_seats: 7 })
    expect(added.json()).toEqual({ success: true, message: '2 seats added. $8 was charged.', total_seats: 7 })
    expect((await server.dashboard(later)).organization).toMatchObject({ total_seats: 7, monthly_cost_cents: 5600 })
    expect(await server.charges()).toEqual([800])
  },
)

onEachProvider('T227 a double click, two tabs and a repeated request are one charge', async (stage, payments) => {
  const server = await startTeamServer(stage, { payments })
  const owner = await server.createMember()
  await server.buy(owner)

  const tabs = await Promise.all([
    server.addSeats(owner, 2, 'first'),
    server.addSeats(owner, 2, 'first'),
    server.addSeats(owner, 2, 'second'),
    server.addSeats(owner, 2),
  ])
  stage.advance(60_000)
  const repeated = await Promise.all([server.addSeats(owner, 2, 'first'), server.addSeats(owner, 2, 'second')])
  const charges = await server.charges()
  const another = await server.addSeats(owner, 2, 'third')

  expect([...tabs, ...repeated].map((answer) => answer.json().total_seats)).toEqual([7, 7, 7, 7, 7, 7])
  expect(charges).toHaveLength(1)
  expect(another.json().total_seats).toBe(9)
})

onEachProvider(
  'T227 a repeated order gets the same answer when it has used up the last seats',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember()
    await server.buy(owner, { quantity: 998 })

    const answers = [await server.addSeats(owner, 2, 'once'), await server.addSeats(owner, 2, 'once')]
    const more = await server.addSeats(owner, 1, 'more')

    expect(answers.map((answer) => answer.json().total_seats)).toEqual([1000, 1000])
    expect([more.statusCode, more.json().error]).toEqual([400, 'There is no room for more seats'])
  },
)

onEachProvider('T227 a declined payment adds no seat, and numbers out of range none', async (stage, payments) => {
  const server = await startTeamServer(stage, { payments })
  const [owner, buyer] = [await server.createMember(), await server.createMember()]
  await server.buy(owner, { laterCharges: 'declined' })
  await server.buy(buyer, { name: 'Another', quantity: 999 })

  const declined = await server.addSeats(owner, 2, 'once')
  const repeated = await server.addSeats(owner, 2, 'once')
  const invalid = await Promise.all([0, -1, 1.5, 501, 2].map((count) => server.addSeats(buyer, count)))
  const malformed = await Promise.all([null, '2', []].map((count) => server.addSeats(buyer, count)))

  expect([declined.statusCode, declined.json().code, repeated.json().code]).toEqual([
    402,
    'PAYMENT_DECLINED',
    'PAYMENT_DECLINED',
  ])
  expect((await server.dashboard(owner)).organization.total_seats).toBe(5)
  expect(new Set(invalid.map((answer) => answer.json().code))).toEqual(new Set(['QUANTITY_INVALID']))
  expect(invalid[0]?.json().error).toBe('Choose between 1 and 1 seats')
  expect(new Set(malformed.map((answer) => answer.json().code))).toEqual(new Set(['BAD_REQUEST']))
  expect((await server.dashboard(buyer)).organization.total_seats).toBe(999)
})

onEachProvider(
  'T227 an order that was interrupted is finished by the next call or in the background, and charged once',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember()
    await server.buy(owner)
    const { provider_id } = await stage.db
      .selectFrom('billing_subscriptions')
      .select('provider_id')
      .executeTakeFirstOrThrow()
    const interrupted = {
      subscription_id: provider_id,
      from_quantity: 5,
      to_quantity: 7,
      charged_cents: 1600,
      prorated_at: stage.now(),
      state: 'pending',
      created_at: stage.now() - 60_000,
    }
    // The server was killed before it asked the provider.
    await stage.db
      .insertInto('seat_orders')
      .values({ ...interrupted, id: 'before', request_key: 'a' })
      .execute()
    await server.applySubscriptions()
    const afterJob = await server.dashboard(owner)
    // It was killed after the charge, before it stored the seats.
    await stage.db.updateTable('seat_orders').set({ state: 'pending' }).execute()
    await stage.db.updateTable('billing_subscriptions').set({ quantity: 5 }).execute()
    const repeated = await server.addSeats(owner, 2, 'a')

    expect(afterJob.organization.total_seats).toBe(7)
    expect(repeated.json().total_seats).toBe(7)
    expect((await server.dashboard(owner)).organization.total_seats).toBe(7)
    expect(await server.charges()).toHaveLength(1)
  },
)

onEachProvider(
  'T227 an order that was interrupted until its plan had ended is not charged',
  async (stage, payments) => {
    const server = await startTeamServer(stage, { payments })
    const owner = await server.createMember()
    await server.buy(owner)
    const subscriptions = stage.db.selectFrom('billing_subscriptions')
    const { provider_id } = await subscriptions.select('provider_id').executeTakeFirstOrThrow()
    await server.post('/api/subscription/cancel?plan=business', {}, owner.bearer)
    await stage.db
      .insertInto('seat_orders')
      .values({
        id: 'late',
        request_key: 'late',
        subscription_id: provider_id,
        from_quantity: 5,
        to_quantity: 7,
        charged_cents: 1600,
        prorated_at: stage.now(),
        state: 'pending',
        created_at: stage.now(),
      })
      .execute()

    stage.advance(40 * day)
    await server.applySubscriptions()

    expect(await server.charges()).toEqual([])
    expect(await subscriptions.select(['status', 'quantity']).execute()).toEqual([{ status: 'canceled', quantity: 5 }])
    expect(await stage.db.selectFrom('seat_orders').select('state').execute()).toEqual([{ state: 'declined' }])
  },
)
