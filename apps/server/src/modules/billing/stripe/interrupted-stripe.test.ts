import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../../testing/servers/account-server.ts'
import { startStripe, stripeSettings, webhookSecret } from '../../../testing/servers/payments.ts'
import { startServerProcess } from '../../../testing/servers/server-process.ts'

const timeoutMs = 300_000
const mostRequests = 12

type Answer = Readonly<Record<string, unknown>>
type Step = (typeof steps)[number]

/** What an owner does, in this order. Each of these steps is interrupted at each of its requests to Stripe. */
const steps = ['checkout', 'payment', 'event', 'seats', 'cancellation'] as const

/** A server that is killed and started again. */
async function startShop(stage: Stage) {
  const stripe = await startStripe(Date.now)
  const settings = {
    DATA_DIR: stage.folder,
    ...(stage.databaseUrl !== undefined && { DATABASE_URL: stage.databaseUrl }),
    ...stripeSettings(stripe),
  }
  let server = await startServerProcess(settings)
  return {
    stripe,
    url: () => server.url,
    /** Kills the server at the next request to Stripe but `skipped`, before it is answered. Returns whether it did. */
    async killDuring(skipped: number, run: () => Promise<unknown>): Promise<boolean> {
      const { url } = server
      let killed: Promise<void> | null = null
      const first = stripe.requests.length
      stripe.watchRequests((count) => {
        if (count > first + skipped) killed ??= server.kill()
      })
      await run().catch(() => undefined)
      // Events are applied after they were answered.
      await settled(stage, () => killed !== null)
      stripe.watchRequests(null)
      if (killed === null) return false
      await killed
      server = await startServerProcess(settings)
      expect(server.url).not.toBe(url)
      return true
    },
  }
}

/** Resolves once nothing is left to be read, or the server was killed. */
async function settled(stage: Stage, isKilled: () => boolean): Promise<void> {
  await expect
    .poll(
      async () => isKilled() || (await stage.db.selectFrom('stale_payments').select('due_at').execute()).length === 0,
    )
    .toBe(true)
}

type Shop = Awaited<ReturnType<typeof startShop>>

async function call(url: string, body: object | null, headers: Record<string, string> = {}): Promise<Answer> {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { ...init, headers: { ...headers, 'content-type': 'application/json' } })
  return (await answer.json()) as Answer
}

/** An owner, who signs in for each call: the server may have been started again since. */
async function createOwner(shop: Shop) {
  const credentials = { email: randomEmail(), password: randomCredential() }
  await call(`${shop.url()}/api/register`, credentials)
  const signIn = async () => {
    const { session, user } = (await call(`${shop.url()}/api/login`, credentials)) as {
      readonly session: { readonly access_token: string }
      readonly user: { readonly id: string }
    }
    return { headers: { authorization: `Bearer ${session.access_token}` }, userId: user.id }
  }
  const { userId, headers } = await signIn()
  const order = {
    organization_name: 'Blue Whale',
    quantity: 5,
    customer_email: credentials.email,
    user_id: userId,
    success_url: '/',
    cancel_url: '/',
  }
  const get = (path: string) => call(shop.url() + path, null, headers)
  let checkoutId = ''
  return {
    userId,
    get,
    subscriptions: () =>
      shop.stripe
        .subscriptions()
        .filter(({ id }) =>
          shop.stripe
            .checkouts()
            .some(({ subscription, customer_email }) => subscription === id && customer_email === credentials.email),
        ),
    run: {
      async checkout() {
        const { checkout_url } = await call(`${shop.url()}/api/stripe/create-business-checkout`, order, headers)
        checkoutId = String(checkout_url).split('/').at(-1) ?? ''
      },
      async payment() {
        const open = shop.stripe.checkouts().find(({ id }) => id === checkoutId)?.status === 'open'
        if (open) await shop.stripe.pay(checkoutId)
        return get('/api/subscription/info')
      },
      event: () => sendEvents(shop),
      seats: () =>
        call(
          `${shop.url()}/api/organization/add-seats`,
          { additional_seats: 2 },
          { ...headers, 'idempotency-key': 'two' },
        ),
      cancellation: () => call(`${shop.url()}/api/subscription/cancel?plan=business`, {}, headers),
    } satisfies Record<Step, () => Promise<unknown>>,
  }
}

/** Sends what no webhook endpoint has accepted, as Stripe does again and again. */
async function sendEvents({ stripe, url }: Shop): Promise<void> {
  for (const event of stripe.events.filter(({ isDelivered }) => !isDelivered))
    await stripe.send(event, { url: `${url()}/api/stripe/webhook`, secrets: [webhookSecret] })
}

/** Takes the steps of one owner, of which one is interrupted and then taken again. Returns whether it was. */
async function interrupt(shop: Shop, stage: Stage, { step, skipped }: { step: Step; skipped: number }) {
  const owner = await createOwner(shop)
  let wasKilled = false
  for (const current of steps) {
    if (current === step) wasKilled = await shop.killDuring(skipped, owner.run[current])
    if (current !== step || wasKilled) await owner.run[current]()
  }
  await sendEvents(shop)
  await settled(stage, () => false)

  const label = `${step}, request ${skipped + 1}`
  const [subscription, ...others] = owner.subscriptions()
  expect(others, label).toEqual([])
  expect(subscription, label).toMatchObject({ status: 'active', cancel_at_period_end: true })
  const charges = shop.stripe.charges.filter((charge) => charge.subscription === subscription?.id)
  expect(
    charges.map(({ cents }) => cents),
    label,
  ).toEqual([4000, expect.closeTo(1600, -2)])
  const info = await owner.get('/api/subscription/info')
  expect(info, label).toMatchObject({ status: 'active', seats: 7, cancel_at_period_end: true })
  const { user } = await owner.get('/api/user-info')
  expect((user as Answer)['license_type'], label).toBe('business')
  return wasKilled
}

async function interruptEverything(stage: Stage): Promise<void> {
  const shop = await startShop(stage)
  const kills: Record<string, number> = {}
  for (const step of steps)
    for (let skipped = 0; skipped < mostRequests; skipped += 1) {
      if (!(await interrupt(shop, stage, { step, skipped }))) break
      kills[step] = skipped + 1
    }
  process.stdout.write(`kills at requests to Stripe: ${JSON.stringify(kills)}\n`)
  expect(Object.keys(kills)).toEqual([...steps])
}

const title =
  'T227 PLN-08 a server that is killed at each of its requests to Stripe charges nothing twice and loses no plan'

onAnyDatabase(title, interruptEverything, timeoutMs)
