import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail } from '../../testing/servers/account-server.ts'
import { type Member, startTeamServer } from '../../testing/servers/team-server.ts'

const day = 24 * 3_600_000
const invalid = [404, 'ORGANIZATION_INVITATION_INVALID']

type TeamServer = Awaited<ReturnType<typeof startTeamServer>>

const join = (server: TeamServer, body: object) => server.post('/api/organization/join', body)
const accept = (server: TeamServer, member: Member, token: string, changes: object = {}) =>
  server.post('/api/organization/accept-invite', { token, ...changes }, member.bearer)
const outcome = ({ statusCode, json }: { statusCode: number; json: () => { code?: string } }) => [
  statusCode,
  json().code,
]

onBothDatabases(
  'ORG-02 ORG-05 T223 an invited person joins with a new account, whose address the link proves',
  async (stage) => {
    const server = await startTeamServer(stage, { confirmEmails: false })
    const owner = await server.createMember()
    await server.buy(owner)
    const email = randomEmail()
    const password = randomCredential()

    const invited = await server.invite(owner, email.toUpperCase(), { role: 'admin' })
    const token = await server.tokenFor(email)
    const offered = (await server.get(`/api/organization/validate-invite/${token}`)).json()
    const denied = await join(server, { token, email, password, existing_account: true })
    const joined = await join(server, { token, email, password, role: 'owner' })
    const signedIn = await server.post('/api/login', { email, password })
    const again = await join(server, { token, email, password })

    expect([invited.statusCode, invited.json().message]).toEqual([200, `Invitation sent to ${email}`])
    expect(JSON.stringify(invited.json())).not.toContain(token)
    expect(offered).toMatchObject({
      email,
      organization_name: 'Blue Whale',
      role: 'admin',
      has_account: false,
      can_create_account: true,
    })
    expect([...outcome(denied), denied.json().message, denied.json().error]).toEqual([
      404,
      'ACCOUNT_NEEDED',
      'Please create an account first',
      'Please create an account first',
    ])
    expect(joined.json()).toEqual({
      success: true,
      message: 'You joined Blue Whale',
      organization: { name: 'Blue Whale', role: 'admin' },
      organization_name: 'Blue Whale',
      role: 'admin',
    })
    expect(signedIn.json().user.email).toBe(email)
    expect(outcome(again)).toEqual(invalid)
    expect((await server.dashboard(owner)).pending_invitations).toEqual([])
  },
)

onBothDatabases('ORG-05 T225 an existing account joins with its own password only', async (stage) => {
  const server = await startTeamServer(stage)
  const [owner, member] = [await server.createMember(), await server.createMember()]
  await server.buy(owner)
  await server.invite(owner, member.email)
  const token = await server.tokenFor(member.email)
  const { email, password } = member

  const offered = (await server.get(`/api/organization/validate-invite/${token}`)).json()
  const wrong = await join(server, { token, email, password: randomCredential() })
  const wrongAgain = await join(server, { token, email, password: randomCredential(), existing_account: true })
  const otherAddress = await join(server, { token, email: randomEmail(), password })
  const joined = await join(server, { token, email, password })
  const signIns = await stage.db.selectFrom('sign_ins').select('id').where('user_id', '=', member.userId).execute()

  expect(offered).toMatchObject({ has_account: true, can_create_account: false })
  expect(outcome(wrong)).toEqual([409, 'ACCOUNT_EXISTS'])
  expect(outcome(wrongAgain)).toEqual([401, 'INVALID_CREDENTIALS'])
  expect(outcome(otherAddress)).toEqual(invalid)
  expect(joined.json()).toMatchObject({ success: true, role: 'member' })
  // The session that checked the password has ended.
  expect(signIns).toHaveLength(1)
  expect((await server.licenceOf(member)).license_type).toBe('business')
})

onBothDatabases(
  'T222 an invitation that was used, cleared, replaced or meant for another address lets nobody in',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, member, other] = [
      await server.createMember(),
      await server.createMember(),
      await server.createMember(),
    ]
    await server.buy(owner)
    await server.invite(owner, member.email)
    const first = await server.tokenFor(member.email)
    const early = await server.post('/api/organization/resend-invitation', { email: member.email }, owner.bearer)
    stage.advance(61_000)
    const resent = await server.post('/api/organization/resend-invitation', { email: member.email }, owner.bearer)
    const second = await server.tokenFor(member.email)

    expect(outcome(early)).toEqual([429, 'RATE_LIMITED'])
    expect(resent.json().message).toBe(`Invitation sent again to ${member.email}`)
    expect(second).not.toBe(first)
    expect(outcome(await accept(server, member, first))).toEqual(invalid)
    expect(outcome(await accept(server, other, second))).toEqual([403, 'INVITATION_FOR_ANOTHER'])
    expect(outcome(await join(server, { token: first, email: member.email, password: member.password }))).toEqual(
      invalid,
    )
    expect(outcome(await server.get(`/api/organization/validate-invite/${first}`))).toEqual(invalid)
    expect((await accept(server, member, second, { role: 'admin' })).json().organization.role).toBe('member')
    // Twice in the same organization is a success, but not for anyone else.
    expect(outcome(await accept(server, member, second))).toEqual(invalid)

    await server.invite(owner, other.email)
    const cleared = await server.tokenFor(other.email)
    await server.remove('/api/organization/clear-invitations', owner.bearer)
    expect(outcome(await accept(server, other, cleared))).toEqual(invalid)
  },
)

onBothDatabases('ORG-02 T222 an invitation works for 7 days, and takes no seat afterwards', async (stage) => {
  const server = await startTeamServer(stage)
  const [owner, member] = [await server.createMember({ policy: 'remember' }), await server.createMember()]
  await server.buy(owner)
  await server.invite(owner, member.email)
  const token = await server.tokenFor(member.email)
  const before = (await server.dashboard(owner)).organization.used_seats

  stage.advance(7 * day - 3_600_000)
  const { session } = (await server.post('/api/login', { email: owner.email, password: owner.password })).json()
  const later = { ...owner, bearer: { authorization: `Bearer ${session.access_token}` } }
  const open = await server.get(`/api/organization/validate-invite/${token}`)
  stage.advance(3_600_000)
  const expired = await server.get(`/api/organization/validate-invite/${token}`)
  const dashboard = await server.dashboard(later)
  const resent = await server.post('/api/organization/resend-invitation', { email: member.email }, later.bearer)

  expect([before, open.statusCode, ...outcome(expired)]).toEqual([2, 200, ...invalid])
  expect(dashboard.organization.used_seats).toBe(1)
  expect(dashboard.pending_invitations).toHaveLength(1)
  expect(resent.statusCode).toBe(200)
  expect((await server.dashboard(later)).organization.used_seats).toBe(2)
})

onBothDatabases('ORG-03 T221 of ten invitations at once for the last seat one is sent', async (stage) => {
  const server = await startTeamServer(stage)
  const owner = await server.createMember()
  await server.buy(owner)
  for (let count = 0; count < 3; count += 1) await server.invite(owner, randomEmail())

  const answers = await Promise.all(Array.from({ length: 10 }, () => server.invite(owner, randomEmail())))

  const outcomes = answers.map((answer) => answer.json().code ?? 'sent')
  expect(outcomes.filter((code) => code === 'sent')).toHaveLength(1)
  expect(outcomes.filter((code) => code === 'NO_SEATS')).toHaveLength(9)
  expect((await server.dashboard(owner)).organization).toMatchObject({ used_seats: 5, available_seats: 0 })
})

onBothDatabases('T221 of ten people who accept at once when one seat is left, one joins', async (stage) => {
  const server = await startTeamServer(stage)
  const owner = await server.createMember()
  await server.buy(owner, { quantity: 11 })
  const people = await Promise.all(Array.from({ length: 10 }, () => server.createMember()))
  const tokens: string[] = []
  for (const { email } of people) {
    await server.invite(owner, email)
    tokens.push(await server.tokenFor(email))
  }
  // The plan was bought again with fewer seats.
  await stage.db.updateTable('billing_subscriptions').set({ quantity: 2 }).execute()

  const answers = await Promise.all(people.map((member, index) => accept(server, member, tokens[index] ?? '')))

  const outcomes = answers.map((answer) => answer.json().code ?? 'joined')
  expect(outcomes.filter((code) => code === 'joined')).toHaveLength(1)
  expect(outcomes.filter((code) => code === 'NO_SEATS')).toHaveLength(9)
})

onBothDatabases(
  'ORG-06 a copied link lets in the signed-in account of its address, and creates none',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, member, other] = [
      await server.createMember(),
      await server.createMember(),
      await server.createMember(),
    ]
    await server.buy(owner)
    const { invitation } = (await server.invite(owner, member.email)).json()
    const stranger = randomEmail()
    const invited = (await server.invite(owner, stranger)).json().invitation
    const token = `i.${invitation.id}`

    const offered = (await server.get(`/api/organization/validate-invite/${token}`)).json()
    const asNew = await join(server, { token: `i.${invited.id}`, email: stranger, password: randomCredential() })
    const asExisting = await join(server, { token, email: member.email, password: member.password })
    const byAnother = await accept(server, other, token)
    const accepted = await accept(server, member, token)

    expect(offered).toMatchObject({
      email: `${member.email[0]}…@example.org`,
      has_account: false,
      can_create_account: false,
    })
    expect([asNew, asExisting].map(outcome)).toEqual([invalid, invalid])
    expect(outcome(byAnother)).toEqual([403, 'INVITATION_FOR_ANOTHER'])
    expect(accepted.json().message).toBe('You joined Blue Whale')
    expect(await stage.db.selectFrom('users').select('id').where('email', '=', stranger).execute()).toEqual([])
  },
)

onBothDatabases('ACC-15 T104 auto-join takes the invitation to the caller’s own proven address', async (stage) => {
  const server = await startTeamServer(stage)
  const [owner, member, unproven] = [
    await server.createMember(),
    await server.createMember(),
    await server.createMember(),
  ]
  await server.buy(owner)
  await server.invite(owner, member.email, { role: 'admin' })
  await server.invite(owner, unproven.email)
  await stage.db.updateTable('users').set({ email_proven_at: 1 }).where('id', '=', member.userId).execute()
  const autoJoin = ({ bearer, userId, email }: Member, changes: object = {}) =>
    server.post('/api/organization/auto-join', { user_id: userId, email, ...changes }, bearer)

  const listed = (await server.membershipOf(member)).invitations
  const others = [await autoJoin(member, { user_id: owner.userId }), await autoJoin(member, { email: unproven.email })]
  const joined = await autoJoin(member)
  const again = await autoJoin(member)

  expect(listed).toMatchObject([{ organization_name: 'Blue Whale', role: 'admin' }])
  expect(others.map(outcome)).toEqual([
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
  ])
  expect(joined.json()).toEqual({ success: true, joined: true, organization: { name: 'Blue Whale', role: 'admin' } })
  expect(again.json()).toEqual({ success: true, joined: false, organization: null })
  expect((await autoJoin(unproven)).json().joined).toBe(false)
  expect((await server.membershipOf(unproven)).invitations).toEqual([])
})

onBothDatabases('ORG-02 ORG-08 invitations that cannot be sent say why', async (stage) => {
  const server = await startTeamServer(stage)
  const [owner, member, second] = [
    await server.createMember(),
    await server.createMember(),
    await server.createMember(),
  ]
  await server.buy(owner)
  await server.buy(second, { name: 'Other team' })
  await server.addMember(owner, member)
  const pending = randomEmail()
  await server.invite(owner, pending)

  const codes = await Promise.all(
    [member.email, owner.email, pending, 'not an address'].map(async (email) =>
      outcome(await server.invite(owner, email)),
    ),
  )
  const resent = await server.post('/api/organization/resend-invitation', { email: randomEmail() }, owner.bearer)
  await server.remove('/api/organization/clear-invitations', owner.bearer)
  const cleared = await server.remove('/api/organization/clear-invitations', owner.bearer)
  await server.invite(owner, second.email)
  const toOwner = await accept(server, second, await server.tokenFor(second.email))

  expect(codes).toEqual([
    [409, 'ALREADY_MEMBER'],
    [409, 'ALREADY_MEMBER'],
    [409, 'INVITATION_PENDING'],
    [400, 'EMAIL_INVALID'],
  ])
  expect(outcome(resent)).toEqual([404, 'INVITATION_UNKNOWN'])
  expect([...outcome(cleared), cleared.json().error]).toEqual([
    404,
    'NO_INVITATIONS',
    'No pending invitations to clear',
  ])
  expect(outcome(toOwner)).toEqual([409, 'ALREADY_IN_ORGANIZATION'])
})

onBothDatabases(
  'ORG-02 the email names organization, role and inviter in its text, and leads to this server only',
  async (stage) => {
    const server = await startTeamServer(stage)
    const owner = await server.createMember()
    await server.buy(owner, { name: 'Blue & “Whale”' })
    const email = randomEmail()
    await server.invite(owner, email, { role: 'admin' })

    const sent = (await server.emails()).at(-1)

    expect(sent?.subject).toBe('You are invited to a team on Sallyport')
    expect(sent?.text).toContain(`${owner.email} invites you to join “Blue & “Whale”” as an admin.`)
    expect(sent?.html).toContain('Blue &#38; “Whale”')
    expect(sent?.text).toContain('/join-org/')
    expect(sent?.text).toContain('expires in 7 days')
  },
)

onBothDatabases(
  'ORG-02 an invitation that is not sent does not count towards the emails of an address',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, member] = [await server.createMember(), await server.createMember()]
    await server.buy(owner)
    await server.invite(owner, member.email)
    const resend = () => server.post('/api/organization/resend-invitation', { email: member.email }, owner.bearer)

    const early = [await resend(), await resend(), await resend(), await resend(), await resend()]
    stage.advance(61_000)
    const later = await resend()

    expect(new Set(early.map(({ statusCode }) => statusCode))).toEqual(new Set([429]))
    expect(later.statusCode).toBe(200)
  },
)
