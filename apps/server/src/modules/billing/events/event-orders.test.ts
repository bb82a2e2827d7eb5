import { expect } from 'vitest'
import { onEmbeddedDatabase, onPostgres, type Stage } from '../../../testing/engines/databases.ts'
import { startStripePayments, webhookSecret } from '../../../testing/servers/payments.ts'
import { type Member, startTeamServer } from '../../../testing/servers/team-server.ts'
import type { StripeServer } from '../../../testing/stripe/stripe-server.ts'

const day = 24 * 3_600_000
const timeoutMs = 300_000
const stepsPerStory = 6

type RecordedEvent = StripeServer['events'][number]
type Random = () => number
type Shop = Awaited<ReturnType<typeof startShop>>
type Plan = 'personal' | 'business'

/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const shuffle = <Entry>(entries: readonly Entry[], random: Random): Entry[] =>
  entries
    .map((entry) => ({ entry, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry)

async function startShop(stage: Stage) {
  const { payments, stripe } = await startStripePayments(stage)
  const server = await startTeamServer(stage, { payments })

  /** The calls of one member, who signs in for each: a step may take weeks. */
  function callsOf(member: Member, plan: Plan) {
    const bearer = async () => {
      const { email, password } = member
      const { session } = (await server.post('/api/login', { email, password })).json()
      return { authorization: `Bearer ${session.access_token}` }
    }
    const own = () =>
      stripe.subscriptions().find(({ id, status }) => status !== 'canceled' && subscriptionIds.has(id)) ?? null
    const subscriptionIds = new Set<string>()
    return {
      subscriptionIds,
      own,
      async buy() {
        const headers = await bearer()
        const order = { customer_email: member.email, success_url: '/', cancel_url: '/' }
        const answer =
          plan === 'personal'
            ? await server.post('/api/stripe/create-checkout', { ...order, price_id: 'personal' }, headers)
            : await server.startCheckout({ ...member, bearer: headers })
        if (answer.statusCode !== 200) return
        const id = answer.json().checkout_url.split('/').at(-1)
        await stripe.pay(id)
        subscriptionIds.add(String(stripe.checkouts().find((checkout) => checkout.id === id)?.subscription))
      },
      cancel: async () => server.post(`/api/subscription/cancel?plan=${plan}`, {}, await bearer()),
      addSeats: async () => server.addSeats({ ...member, bearer: await bearer() }, 1),
      licence: async () => (await server.get('/api/user-info', await bearer())).json().user,
    }
  }

  async function send(event: RecordedEvent): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': event.signature([webhookSecret], stage.now()),
    }
    const url = '/api/stripe/webhook'
    const answer = await server.app.inject({ method: 'POST', url, payload: event.body, headers })
    expect(answer.statusCode, event.type).toBe(200)
  }

  /** Resolves once everything that is marked has been read. */
  const whenRead = () =>
    expect.poll(() => stage.db.selectFrom('stale_payments').select('provider_id').execute()).toEqual([])

  return { ...server, stripe, callsOf, send, whenRead }
}

/** What may happen to a subscription: by its owner, by the bank, by the operator at Stripe, and by time. */
async function takeStep(shop: Shop, stage: Stage, { calls, random, plan }: StoryInput): Promise<void> {
  const own = calls.own()
  const endpoint = `${shop.stripe.url}/v1/subscriptions/${own?.id}`
  const headers = { authorization: `Bearer ${shop.stripe.key}`, 'stripe-version': '2026-10-28.endive' }
  const steps: (() => Promise<unknown>)[] = [
    async () => stage.advance(Math.floor(random() * 3 * day)),
    async () => stage.advance(Math.floor((28 + random() * 6) * day)),
    async () => shop.stripe.setChargeOutcome(random() < 0.5 ? 'decline' : 'action', own?.id),
    async () => shop.stripe.setChargeOutcome('pay', own?.id),
    calls.cancel,
    calls.buy,
    ...(plan === 'business' ? [calls.addSeats, calls.addSeats] : []),
    async () => {
      const open = shop.stripe
        .invoices()
        .find(({ status, customer }) => status === 'open' && customer === own?.customer)
      if (open) await shop.stripe.payInvoice(String(open.id))
    },
    async () => own && random() < 0.3 && fetch(endpoint, { method: 'DELETE', headers }),
  ]
  await steps[Math.floor(random() * steps.length)]?.()
  await shop.stripe.tick()
}

interface StoryInput {
  readonly calls: ReturnType<Shop['callsOf']>
  readonly random: Random
  readonly plan: Plan
}

/** Sends some of the events in another order, several at once, and some of them twice. Returns those that stay. */
async function sendSome(shop: Shop, events: readonly RecordedEvent[], random: Random, share: number) {
  const shuffled = shuffle(events, random)
  const sent = shuffled.slice(0, Math.ceil(shuffled.length * share))
  const doubled = sent.filter(() => random() < 0.3)
  await Promise.all(shuffle([...sent, ...doubled], random).map(shop.send))
  return shuffled.slice(sent.length)
}

async function runStory(shop: Shop, stage: Stage, seed: number): Promise<void> {
  const random = createRandom(seed)
  const plan = seed % 2 === 0 ? 'personal' : 'business'
  const member = await shop.createMember({ policy: 'remember' })
  const calls = shop.callsOf(member, plan)
  const losesEvents = seed % 4 > 1
  await calls.buy()
  let waiting: RecordedEvent[] = []
  for (let step = 0; step < stepsPerStory; step += 1) {
    waiting.push(...shop.stripe.takeEvents().filter(() => !losesEvents || random() < 0.7))
    waiting = await sendSome(shop, waiting, random, random())
    await takeStep(shop, stage, { calls, random, plan })
  }
  const last = shop.stripe.takeEvents()
  await sendSome(shop, losesEvents ? waiting : [...waiting, ...last], random, 1)
  await shop.whenRead()
  if (losesEvents) {
    // What no event reports is read once a day.
    stage.advance(day + 1)
    await shop.stripe.tick()
    await shop.applySubscriptions()
  }
  await expectEqual(shop, stage, { calls, seed, userId: member.userId })

  const own = calls.own()
  const headers = { authorization: `Bearer ${shop.stripe.key}`, 'stripe-version': '2026-10-28.endive' }
  if (own) await fetch(`${shop.stripe.url}/v1/subscriptions/${own.id}`, { method: 'DELETE', headers })
  shop.stripe.takeEvents()
  await stage.db
    .updateTable('billing_subscriptions')
    .set({ ended_at: 0 })
    .where('user_id', '=', member.userId)
    .execute()
}

interface ExpectInput {
  readonly calls: StoryInput['calls']
  readonly seed: number
  readonly userId: string
}

/** What is stored is what Stripe says, and nothing was charged twice. */
async function expectEqual(shop: Shop, stage: Stage, { calls, seed, userId }: ExpectInput): Promise<void> {
  const rows = await stage.db.selectFrom('billing_subscriptions').selectAll().where('user_id', '=', userId).execute()
  const stored = rows.map((row) => ({
    id: row.provider_id,
    status: row.status,
    quantity: row.quantity,
    periodEnd: row.period_end,
    isCancelling: row.cancel_at_period_end === 1,
    endedAt: row.ended_at,
  }))
  const real = shop.stripe
    .subscriptions()
    .filter(({ id }) => calls.subscriptionIds.has(id))
    .map((subscription) => {
      const item = subscription.items.data[0]
      return {
        id: subscription.id,
        status: subscription.status,
        quantity: item?.quantity,
        periodEnd: Number(item?.current_period_end) * 1000,
        isCancelling: subscription.cancel_at_period_end,
        endedAt: subscription.ended_at === null ? null : subscription.ended_at * 1000,
      }
    })
  const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id)
  expect(stored.toSorted(byId), `seed ${seed}`).toEqual(real.toSorted(byId))
  expect(real.filter(({ status }) => status !== 'canceled').length, `seed ${seed}`).toBeLessThanOrEqual(1)

  const invoices = shop.stripe.charges.map(({ invoice }) => invoice)
  expect(new Set(invoices).size, `seed ${seed}`).toBe(invoices.length)

  const isPaid = real.some(({ status }) => status === 'active')
  const { license_type } = await calls.licence()
  if (isPaid) expect(license_type, `seed ${seed}`).not.toBe('trial')
}

async function runStories(stage: Stage, first: number, end: number): Promise<void> {
  const shop = await startShop(stage)
  for (let seed = first; seed < end; seed += 1) await runStory(shop, stage, seed)
}

const title =
  'T215 PLN-08 events that are late, lost, doubled and shuffled leave what Stripe says, in 100 seeded stories'

onEmbeddedDatabase(title, (stage) => runStories(stage, 0, 100), timeoutMs)
onPostgres(title, (stage) => runStories(stage, 100, 200), timeoutMs)
