import type { Stage } from '../engines/databases.ts'
import { type AccountServer, type AccountServerOptions, linkIn, startAccountServer } from './account-server.ts'
import { createTestPayments, type Payments, type PayOptions } from './payments.ts'

export type Member = Awaited<ReturnType<AccountServer['createMember']>>

interface TeamServerOptions extends AccountServerOptions {
  /** The test page without it. */
  readonly payments?: Payments
}

interface BuyOptions extends PayOptions {
  readonly name?: string
  readonly quantity?: number
}

/** Starts an account server that sells seats, with short calls for organizations. */
export async function startTeamServer(stage: Stage, options: TeamServerOptions = {}) {
  const { payments = createTestPayments(stage), ...accountOptions } = options
  const server = await startAccountServer(stage, { ...payments.options, ...accountOptions })
  const { post, get } = server

  const orderOf = ({ email, userId }: Member, changes: object = {}) => ({
    organization_name: 'Blue Whale',
    customer_email: email,
    user_id: userId,
    quantity: 5,
    success_url: '/business-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: '/',
    ...changes,
  })

  const startCheckout = (member: Member, changes: object = {}) =>
    post('/api/stripe/create-business-checkout', orderOf(member, changes), member.bearer)

  /** Pays on the page of a checkout, and returns whether that was possible. */
  const pay = (checkoutUrl: string, payOptions?: PayOptions): Promise<boolean> =>
    payments.pay(server, checkoutUrl.split('/').at(-1) ?? '', payOptions)

  /** Buys seats, and returns whether that was possible. */
  async function buy(member: Member, { name = 'Blue Whale', quantity = 5, ...payOptions }: BuyOptions = {}) {
    const started = await startCheckout(member, { organization_name: name, quantity })
    return pay(started.json().checkout_url, payOptions)
  }

  const dashboard = async ({ bearer }: Member) => (await get('/api/organization/dashboard', bearer)).json()
  const invite = (owner: Member, email: string, changes: object = {}) =>
    post('/api/organization/invite', { email, ...changes }, owner.bearer)

  /** The token in the newest email to this address. */
  async function tokenFor(email: string): Promise<string> {
    const emails = await server.emails()
    const newest = emails.findLast(({ to }) => to?.some(({ address }) => address === email))
    return linkIn({ text: newest?.text }).pathname.split('/').at(-1) ?? ''
  }

  /** Invites an account by email, which accepts. */
  async function addMember(owner: Member, member: Member, role: 'admin' | 'member' = 'member') {
    await invite(owner, member.email, { role })
    const token = await tokenFor(member.email)
    return post('/api/organization/accept-invite', { token }, member.bearer)
  }

  return {
    ...server,
    orderOf,
    startCheckout,
    pay,
    buy,
    dashboard,
    invite,
    tokenFor,
    addMember,
    licenceOf: async ({ bearer }: Member) => (await get('/api/user-info', bearer)).json().user,
    membershipOf: async ({ bearer }: Member) => (await get('/api/organization/membership', bearer)).json(),
    addSeats: (owner: Member, count: unknown, key?: string) =>
      post(
        '/api/organization/add-seats',
        { additional_seats: count },
        { ...owner.bearer, ...(key !== undefined && { 'idempotency-key': key }) },
      ),
    removeMember: (actor: Member, userId: string) => server.remove(`/api/organization/member/${userId}`, actor.bearer),
    /** What was charged for more seats and renewals, in cents. */
    charges: payments.laterCharges,
  }
}
