import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'
import { apiVersionHeader, randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { startHostedServer } from '../../testing/servers/hosted-server.ts'
import { startTeamServer } from '../../testing/servers/team-server.ts'

onBothDatabases(
  'ORG-05 an emailed invitation proves the address, also of an account that was never confirmed',
  async (stage) => {
    const server = await startTeamServer(stage, { confirmEmails: true })
    const owner = await createConfirmedMember(server)
    await server.buy(owner)
    const [fresh, unconfirmed] = [randomEmail(), randomEmail()]
    const earlierPassword = randomCredential()
    await server.post('/api/register', { email: unconfirmed, password: earlierPassword })

    for (const email of [fresh, unconfirmed]) {
      await server.invite(owner, email)
      const [token, password] = [await server.tokenFor(email), randomCredential()]
      const joined = await server.post('/api/organization/join', { token, email, password })
      const signedIn = await server.post('/api/login', { email, password })
      const withEarlier = await server.post('/api/login', { email, password: earlierPassword })

      expect([joined.statusCode, signedIn.statusCode, withEarlier.statusCode]).toEqual([200, 200, 401])
    }
    expect((await server.dashboard(owner)).members).toHaveLength(3)
  },
)

onBothDatabases(
  'ORG-05 T225 an account with a second factor joins once it is signed in, and not by its password',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, member] = [await server.createMember(), await server.createMember()]
    await server.buy(owner)
    await server.invite(owner, member.email)
    const token = await server.tokenFor(member.email)
    const headers = { ...member.bearer, ...apiVersionHeader }
    const { id, totp } = (await server.post('/auth/v1/factors', { factor_type: 'totp' }, headers)).json()
    const challenge = (await server.post(`/auth/v1/factors/${id}/challenge`, {}, headers)).json()
    const code = appCode(totp.secret, stage.now())
    const verified = await server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.id, code }, headers)
    const signIns = () => stage.db.selectFrom('sign_ins').select('id').where('user_id', '=', member.userId).execute()
    const before = await signIns()

    const body = { token, email: member.email, password: member.password }
    const joined = await server.post('/api/organization/join', body)
    const after = await signIns()
    const bearer = { authorization: `Bearer ${verified.json().access_token}` }
    const accepted = await server.post('/api/organization/accept-invite', { token }, bearer)

    expect([joined.statusCode, joined.json().code]).toEqual([403, 'SIGN_IN_FIRST'])
    expect(after).toEqual(before)
    expect(accepted.statusCode).toBe(200)
  },
)

onBothDatabases('ORG-05 a call that was interrupted after it created the account is repeated', async (stage) => {
  const server = await startTeamServer(stage)
  const owner = await server.createMember()
  await server.buy(owner)
  const [email, password] = [randomEmail(), randomCredential()]
  await server.invite(owner, email)
  const token = await server.tokenFor(email)
  // The account is there, the membership is not.
  await server.provider.createUser({ email, credential: password, confirmed: true })

  const repeated = await server.post('/api/organization/join', { token, email, password })

  expect(repeated.json()).toMatchObject({ success: true, organization_name: 'Blue Whale' })
})

onBothDatabases(
  'ORG-02 ORG-08 an organization whose plan has ended invites nobody, and clears what was sent',
  async (stage) => {
    const server = await startTeamServer(stage)
    const owner = await server.createMember()
    await server.buy(owner)
    await server.invite(owner, 'waiting@example.org')
    await stage.db
      .updateTable('billing_subscriptions')
      .set({ status: 'canceled', ended_at: stage.now(), period_end: stage.now() })
      .execute()

    const email = 'waiting@example.org'
    const resent = await server.post('/api/organization/resend-invitation', { email }, owner.bearer)
    const invited = await server.invite(owner, randomEmail())
    const cleared = await server.remove('/api/organization/clear-invitations', owner.bearer)

    expect([resent.json().code, invited.json().code]).toEqual(['ORGANIZATION_ENDED', 'ORGANIZATION_ENDED'])
    expect(cleared.json()).toMatchObject({ success: true, cleared: 1 })
  },
)

test('ORG-02 ORG-05 ORG-06 with a hosted auth provider people buy, join, accept and leave as well', async () => {
  const { server } = await startHostedServer()
  const [owner, member] = [await server.createMember(), await server.createMember()]
  const bearer = ({ accessToken }: typeof owner) => ({ authorization: `Bearer ${accessToken}` })
  const post = (url: string, payload: object, headers = {}) =>
    server.app.inject({ method: 'POST', url, payload, headers })
  const order = {
    organization_name: 'Blue Whale',
    customer_email: owner.email,
    user_id: owner.userId,
    quantity: 5,
    success_url: '/',
    cancel_url: '/',
  }
  const started = await post('/api/stripe/create-business-checkout', order, bearer(owner))
  await post(`/api/billing/test-checkouts/${started.json().checkout_url.split('/').at(-1)}/pay`, {})
  const [email, password] = [randomEmail(), randomCredential()]
  for (const invited of [email, member.email]) await post('/api/organization/invite', { email: invited }, bearer(owner))

  const joined = await post('/api/organization/join', { token: await tokenFor(server.folder, email), email, password })
  const signedIn = await post('/api/login', { email, password })
  const token = await tokenFor(server.folder, member.email)
  const accepted = await post('/api/organization/accept-invite', { token }, bearer(member))
  const deleted = await server.app.inject({ method: 'DELETE', url: '/api/account', headers: bearer(owner) })
  const { user } = (await server.app.inject({ url: '/api/user-info', headers: bearer(member) })).json()
  await server.stop()

  expect([joined, signedIn, accepted, deleted].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(user.license_type).toBe('trial')
})

test('PLN-07 a team signs up at a hosted auth provider, pays with that session and signs in', async () => {
  const { server, providerServer } = await startHostedServer()
  const post = (url: string, payload: object, headers = {}) =>
    server.app.inject({ method: 'POST', url, payload, headers })
  const credentials = { email: randomEmail(), password: randomCredential() }
  const data = { organization_name: 'Blue Whale', signup_type: 'business_pending' }
  const signUp = { method: 'POST', url: '/auth/v1/signup', payload: { ...credentials, data } } as const
  const { access_token, user } = (await providerServer.app.inject(signUp)).json()

  const order = {
    organization_name: data.organization_name,
    customer_email: credentials.email,
    user_id: user.id,
    quantity: 5,
    success_url: '/business-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: '/',
  }
  const started = await post('/api/stripe/create-business-checkout', order, { authorization: `Bearer ${access_token}` })
  const id = started.json().checkout_url.split('/').at(-1)
  const paid = await post(`/api/billing/test-checkouts/${id}/pay`, {})
  const { session } = (await post('/api/login', credentials)).json()
  const headers = { authorization: `Bearer ${session.access_token}` }
  const { organization } = (await server.app.inject({ url: '/api/organization/dashboard', headers })).json()
  await server.stop()

  expect(user.user_metadata).toMatchObject(data)
  expect(session.user.user_metadata).toMatchObject(data)
  expect(paid.json().success_url).toContain(`/business-success?session_id=${id}`)
  expect(organization).toMatchObject({ name: 'Blue Whale', total_seats: 5, monthly_cost_cents: 4000 })
})

async function createConfirmedMember(server: Awaited<ReturnType<typeof startTeamServer>>) {
  const [email, password] = [randomEmail(), randomCredential()]
  await server.provider.createUser({ email, credential: password, confirmed: true })
  const { session, user } = (await server.post('/api/login', { email, password })).json()
  const { access_token: accessToken, refresh_token: refreshToken } = session
  const bearer = { authorization: `Bearer ${accessToken}` }
  return { email, password, userId: user.id, accessToken, refreshToken, bearer }
}

/** The token of the invitation in the outbox of a server. */
async function tokenFor(folder: string, email: string): Promise<string> {
  let token = ''
  const find = async () => {
    const files = readdirSync(folder, { recursive: true }).map(String)
    for (const file of files.filter((name) => name.endsWith('.eml'))) {
      const { to, text = '' } = await PostalMime.parse(readFileSync(join(folder, file)))
      const found = /\/(?:join-org|accept-invite)\/(\S+)/.exec(text)?.[1]
      if (found && to?.some(({ address }) => address === email)) token = found
    }
    return token
  }
  await expect.poll(find, { timeout: 10_000 }).not.toBe('')
  return token
}
