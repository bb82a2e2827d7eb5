import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { startTeamServer } from '../../testing/servers/team-server.ts'

onBothDatabases(
  'ORG-02 ORG-05 PLN-04 a client that sends only the bodies of the specification passes every call',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, member] = [await server.createMember(), await server.createMember()]
    await stage.db.updateTable('users').set({ email_proven_at: 1 }).where('id', '=', member.userId).execute()
    const { post, get, remove } = server

    const checkout = await post(
      '/api/stripe/create-business-checkout',
      {
        organization_name: 'Blue Whale',
        customer_email: owner.email,
        user_id: owner.userId,
        quantity: 5,
        success_url: 'http://sallyport.test/business-success?session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://sallyport.test/',
      },
      owner.bearer,
    )
    await post(`/api/billing/test-checkouts/${checkout.json().checkout_url.split('/').at(-1)}/pay`, {})
    const dashboard = (await get('/api/organization/dashboard', owner.bearer)).json()
    const seats = await post('/api/organization/add-seats', { additional_seats: 1 }, owner.bearer)
    const [email, password] = [randomEmail(), randomCredential()]
    const invited = await post('/api/organization/invite', { email, role: 'member' }, owner.bearer)
    const token = await server.tokenFor(email)
    const offered = await get(`/api/organization/validate-invite/${token}`)
    const joined = await post('/api/organization/join', { token, email, password })
    await post('/api/organization/invite', { email: member.email, role: 'admin' }, owner.bearer)
    const own = { user_id: member.userId, email: member.email }
    const autoJoined = await post('/api/organization/auto-join', own, member.bearer)
    const removed = await remove(`/api/organization/member/${member.userId}`, owner.bearer)
    await post('/api/organization/invite', { email: member.email, role: 'admin' }, owner.bearer)
    stage.advance(61_000)
    const resent = await post('/api/organization/resend-invitation', { email: member.email }, owner.bearer)
    const body = { token: await server.tokenFor(member.email) }
    const accepted = await post('/api/organization/accept-invite', body, member.bearer)
    await post('/api/organization/invite', { email: randomEmail(), role: 'member' }, owner.bearer)
    const cleared = await remove('/api/organization/clear-invitations', owner.bearer)

    expect(dashboard.organization).toMatchObject({ name: 'Blue Whale', total_seats: 5, used_seats: 1 })
    expect(Object.keys(dashboard.members[0])).toEqual(
      expect.arrayContaining(['id', 'user_id', 'email', 'role', 'joined_at', 'storage_used', 'file_count']),
    )
    expect(offered.json()).toMatchObject({ email, organization_name: 'Blue Whale', role: 'member' })
    expect(joined.json()).toMatchObject({ organization: { name: 'Blue Whale', role: 'member' }, role: 'member' })
    expect(autoJoined.json().joined).toBe(true)
    for (const answer of [seats, invited, joined, removed, resent, accepted, cleared]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json().message).toMatch(/\S/)
    }
  },
)
