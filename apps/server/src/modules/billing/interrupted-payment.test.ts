import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { startServerProcess } from '../../testing/servers/server-process.ts'

/** How long after a request was sent the server is killed; null for as soon as it was answered. */
const kills = [
  ['as soon as it was answered', null],
  ['while it was carried out', 4],
] as const

const plans = {
  personal: { path: '/api/stripe/create-checkout', body: { price_id: 'personal' }, licence: 'personal' },
  business: {
    path: '/api/stripe/create-business-checkout',
    body: { organization_name: 'Blue Whale', quantity: 5 },
    licence: 'business',
  },
} as const

for (const [when, killAfterMs] of kills) {
  for (const [plan, { path, body, licence }] of Object.entries(plans))
    onBothDatabases(
      `PLN-04 the payment of the ${plan} plan outlives a server that is killed ${when}: one plan, or none and nothing paid`,
      async (stage) => {
        const first = await start(stage)
        const credentials = await register(first.url)
        const buyer = await signIn(first.url, credentials)
        const order = { ...body, ...buyer.order, success_url: '/', cancel_url: '/' }
        const { checkout_url } = await send(first.url, path, order, buyer.headers)
        const id = String(checkout_url).split('/').at(-1)

        const pay = (url: string) => send(url, `/api/billing/test-checkouts/${id}/pay`, {})
        const wasAnswered = await killDuring(first, pay(first.url), killAfterMs)

        const second = await start(stage)
        const again = await signIn(second.url, credentials)
        const read = (target: string) => get(second.url + target, again.headers)
        const { state } = await read(`/api/billing/test-checkouts/${id}`)
        const { status } = await read('/api/subscription/info')
        const { user } = await read('/api/user-info')
        if (wasAnswered) expect(state).toBe('paid')
        expect([state, status, (user as Answer)['license_type']]).toEqual(
          state === 'paid' ? ['paid', 'active', licence] : ['open', 'none', 'trial'],
        )

        await pay(second.url)
        const retried = await send(second.url, path, order, again.headers)
        expect(retried['code']).toBe('ALREADY_SUBSCRIBED')
        expect(await stage.db.selectFrom('test_subscriptions').select('quantity').execute()).toHaveLength(1)
        const organizations = await stage.db.selectFrom('organizations').select('name').execute()
        expect(organizations).toEqual(plan === 'business' ? [{ name: 'Blue Whale' }] : [])
      },
    )

  onBothDatabases(`T227 seats are charged once by a server that is killed ${when}`, async (stage) => {
    const first = await start(stage)
    const credentials = await register(first.url)
    const owner = await signIn(first.url, credentials)
    const order = { ...plans.business.body, ...owner.order, success_url: '/', cancel_url: '/' }
    const { checkout_url } = await send(first.url, plans.business.path, order, owner.headers)
    await send(first.url, `/api/billing/test-checkouts/${String(checkout_url).split('/').at(-1)}/pay`, {})

    const body = { additional_seats: 2 }
    const addSeats = (url: string, headers: Headers) =>
      send(url, '/api/organization/add-seats', body, { ...headers, 'idempotency-key': 'two more' })
    const wasAnswered = await killDuring(first, addSeats(first.url, owner.headers), killAfterMs)

    const second = await start(stage)
    const again = await signIn(second.url, credentials)
    const seats = async () => {
      const { organization } = await get(`${second.url}/api/organization/dashboard`, again.headers)
      return (organization as Answer)['total_seats']
    }
    if (wasAnswered) expect(await seats()).toBe(7)
    const repeated = await addSeats(second.url, again.headers)
    expect([repeated['total_seats'], await seats()]).toEqual([7, 7])
    expect(await stage.db.selectFrom('test_charges').select('is_paid').execute()).toEqual([{ is_paid: 1 }])
  })
}

type Answer = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>
type Server = Awaited<ReturnType<typeof startServerProcess>>

const start = ({ folder, databaseUrl }: Stage): Promise<Server> =>
  startServerProcess({ DATA_DIR: folder, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) })

/** Kills the server while it answers; true if it has answered that the request succeeded. */
async function killDuring(server: Server, answer: Promise<Answer>, killAfterMs: number | null): Promise<boolean> {
  const received = answer.catch(() => ({ success: false }) as Answer)
  if (killAfterMs === null) await received
  else await wait(killAfterMs)
  await server.kill()
  return (await received)['success'] === true
}

async function send(url: string, path: string, body: object, headers: Headers = {}) {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(url + path, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
  return (await answer.json()) as Answer
}

const get = async (url: string, headers: Headers): Promise<Answer> =>
  (await (await fetch(url, { headers })).json()) as Answer

async function register(url: string) {
  const credentials = { email: randomEmail(), password: randomCredential() }
  await send(url, '/api/register', credentials)
  return credentials
}

async function signIn(url: string, credentials: { readonly email: string }) {
  const { session, user } = (await send(url, '/api/login', credentials)) as {
    readonly session: { readonly access_token: string }
    readonly user: { readonly id: string }
  }
  return {
    headers: { authorization: `Bearer ${session.access_token}` },
    order: { customer_email: credentials.email, user_id: user.id },
  }
}
