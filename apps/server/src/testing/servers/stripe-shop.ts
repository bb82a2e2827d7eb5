import type { Stage } from '../engines/databases.ts'
import { startStripePayments } from './payments.ts'
import { type Member, startTeamServer } from './team-server.ts'

/** Starts a server that takes payments at a Stripe test server. */
export async function startShop(stage: Stage) {
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
