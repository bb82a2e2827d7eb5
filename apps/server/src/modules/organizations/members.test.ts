import type { LiveEvent } from '@sallyport/contract/live'
import { expect } from 'vitest'
import { accountTopic } from '../../platform/events/publish.ts'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { type Member, startTeamServer } from '../../testing/servers/team-server.ts'

const day = 24 * 3_600_000
const outcome = ({ statusCode, json }: { statusCode: number; json: () => { code?: string } }) => [
  statusCode,
  json().code,
]

/** A team with an owner, an admin and a member, and someone of another team. */
async function startTeam(stage: Stage) {
  const server = await startTeamServer(stage)
  const [owner, admin, member, stranger] = [
    await server.createMember(),
    await server.createMember(),
    await server.createMember(),
    await server.createMember(),
  ]
  await server.buy(owner)
  await server.buy(stranger, { name: 'Other team' })
  await server.addMember(owner, admin, 'admin')
  await server.addMember(owner, member)
  return { ...server, owner, admin, member, stranger }
}

onBothDatabases(
  'ORG-04 PLN-06 a removed member is on a trial with their files, the seat is free, and their pages know at once',
  async (stage) => {
    const team = await startTeam(stage)
    const events: string[] = []
    team.bus.subscribe<LiveEvent>(accountTopic(team.member.userId), ({ type }) => events.push(type))
    await stage.db
      .updateTable('storage_use')
      .set({ used_bytes: 1234, file_count: 3 })
      .where('user_id', '=', team.member.userId)
      .execute()

    const before = await team.dashboard(team.owner)
    const removed = await team.removeMember(team.owner, team.member.userId)
    const after = await team.dashboard(team.owner)

    expect(before.members.at(-1)).toMatchObject({ email: team.member.email, storage_used: 1234, file_count: 3 })
    expect(removed.json()).toEqual({ success: true, message: `${team.member.email} was removed` })
    expect([before.organization.used_seats, after.organization.used_seats]).toEqual([3, 2])
    expect(events).toEqual(['licence.changed', 'organization.changed'])
    expect(await team.licenceOf(team.member)).toMatchObject({
      license_type: 'trial',
      storage_limit_bytes: 1024 ** 3,
      storage_used_bytes: 1234,
      license_expires_at: stage.now() + 7 * day,
    })
    expect(await team.membershipOf(team.member)).toMatchObject({ organization: null })
    expect(outcome(await team.get('/api/organization/dashboard', team.member.bearer))).toEqual([404, 'NO_ORGANIZATION'])
  },
)

onBothDatabases('T224 ORG-04 nobody removes the owner, an admin no other admin, and a member nobody', async (stage) => {
  const { owner, admin, member, ...team } = await startTeam(stage)
  const remove = async (actor: Member, subject: Member) => outcome(await team.removeMember(actor, subject.userId))

  expect(await remove(owner, owner)).toEqual([403, 'MEMBER_IS_OWNER'])
  expect(await remove(admin, owner)).toEqual([403, 'MEMBER_IS_OWNER'])
  expect(await remove(admin, admin)).toEqual([403, 'FORBIDDEN'])
  expect(await remove(member, owner)).toEqual([403, 'FORBIDDEN'])
  expect(await remove(member, admin)).toEqual([403, 'FORBIDDEN'])
  expect((await team.dashboard(owner)).members).toHaveLength(3)
  expect(await remove(admin, member)).toEqual([200, undefined])
})

onBothDatabases('T103 T106 other organizations do not exist for anyone outside of them', async (stage) => {
  const { owner, member, stranger, ...team } = await startTeam(stage)
  const { invitation } = (await team.invite(owner, 'someone@example.org')).json()
  const invited = await team.createMember()
  await team.invite(owner, invited.email)

  expect(outcome(await team.removeMember(stranger, member.userId))).toEqual([404, 'NOT_FOUND'])
  expect(
    outcome(await team.put(`/api/organization/member/${member.userId}/role`, { role: 'admin' }, stranger.bearer)),
  ).toEqual([404, 'NOT_FOUND'])
  expect(outcome(await team.remove(`/api/organization/invitation/${invitation.id}`, stranger.bearer))).toEqual([
    404,
    'INVITATION_UNKNOWN',
  ])
  expect((await team.dashboard(stranger)).organization.name).toBe('Other team')
  for (const path of ['dashboard', 'membership']) {
    const answer = await team.get(`/api/organization/${path}`, invited.bearer)
    expect(answer.body).not.toContain(owner.email)
  }
  expect(outcome(await team.get('/api/organization/dashboard', invited.bearer))).toEqual([404, 'NO_ORGANIZATION'])
  expect(outcome(await team.get('/api/organization/dashboard', member.bearer))).toEqual([403, 'FORBIDDEN'])
})

onBothDatabases('ORG-03 admins invite and clear members only, and buy and change nothing', async (stage) => {
  const { owner, admin, member, ...team } = await startTeam(stage)
  await team.invite(owner, 'next-admin@example.org', { role: 'admin' })

  const asAdmin = await team.invite(admin, 'one@example.org', { role: 'admin' })
  const asMember = await team.invite(admin, 'two@example.org')
  const role = await team.put(`/api/organization/member/${member.userId}/role`, { role: 'admin' }, admin.bearer)
  const seats = await team.addSeats(admin, 1)
  const cancelled = await team.post('/api/subscription/cancel?plan=business', {}, admin.bearer)
  const { organization, members, pending_invitations } = await team.dashboard(admin)
  const cleared = await team.remove('/api/organization/clear-invitations', admin.bearer)

  expect([asAdmin, role, seats].map(outcome)).toEqual(Array(3).fill([403, 'FORBIDDEN']))
  expect(outcome(cancelled)).toEqual([404, 'NO_SUBSCRIPTION'])
  expect(asMember.statusCode).toBe(200)
  expect(organization).toMatchObject({
    your_role: 'admin',
    abilities: { invite: true, invite_admins: false, add_seats: false, cancel: false, buy: false },
  })
  expect(members.map((one: { abilities: { remove: boolean } }) => one.abilities.remove)).toEqual([false, false, true])
  expect(pending_invitations.map((one: { abilities: { manage: boolean } }) => one.abilities.manage)).toEqual([
    true,
    false,
  ])
  expect(cleared.json()).toMatchObject({ cleared: 1, message: '1 invitation cleared' })
  expect((await team.dashboard(owner)).pending_invitations).toHaveLength(1)
})

onBothDatabases('ORG-03 the owner changes roles, a member leaves, and the owner does not', async (stage) => {
  const { owner, admin, member, ...team } = await startTeam(stage)
  const setRole = (userId: string, role: string) =>
    team.put(`/api/organization/member/${userId}/role`, { role }, owner.bearer)

  const promoted = await setRole(member.userId, 'admin')
  const demoted = await setRole(admin.userId, 'member')
  const ownRole = await setRole(owner.userId, 'member')
  const toOwner = await setRole(member.userId, 'owner')
  const left = await team.post('/api/organization/leave', {}, admin.bearer)
  const ownerLeaves = await team.post('/api/organization/leave', {}, owner.bearer)

  expect([promoted.json().message, demoted.json().message]).toEqual([
    `${member.email} is an admin now`,
    `${admin.email} is no longer an admin`,
  ])
  expect(outcome(ownRole)).toEqual([403, 'MEMBER_IS_OWNER'])
  expect(outcome(toOwner)).toEqual([400, 'BAD_REQUEST'])
  expect(left.json().message).toBe('You left Blue Whale')
  expect(outcome(ownerLeaves)).toEqual([409, 'OWNER_CANNOT_LEAVE'])
  expect((await team.licenceOf(admin)).license_type).toBe('trial')
  expect((await team.dashboard(member)).organization.your_role).toBe('admin')
})

onBothDatabases('T107 bodies with empty, missing or other values change nothing', async (stage) => {
  const { owner, member, ...team } = await startTeam(stage)
  const values = [{}, { email: null }, { email: [] }, { email: { $ne: '' } }, { email: 1 }, null, []]

  for (const body of values) {
    for (const path of ['invite', 'resend-invitation', 'auto-join', 'accept-invite', 'join', 'add-seats']) {
      const answer = await team.post(`/api/organization/${path}`, body as object, owner.bearer)
      expect(answer.statusCode, `${path} ${JSON.stringify(body)}`).toBe(400)
    }
  }
  for (const id of ['undefined', 'null', '[]', '%00', member.userId.toUpperCase()])
    expect((await team.removeMember(owner, id)).statusCode, id).toBe(400)
  expect((await team.dashboard(owner)).members).toHaveLength(3)
})

onBothDatabases(
  'ORG-04 PLN-06 an owner who deletes their account ends the plan, and everyone else is on a trial',
  async (stage) => {
    const { owner, admin, member, ...team } = await startTeam(stage)
    await team.invite(owner, 'next@example.org')

    const deleted = await team.remove('/api/account', owner.bearer)

    expect(deleted.json()).toEqual({ success: true })
    expect(await stage.db.selectFrom('organizations').select('name').execute()).toEqual([{ name: 'Other team' }])
    expect(await stage.db.selectFrom('organization_invitations').select('id').execute()).toEqual([])
    for (const one of [admin, member]) {
      expect((await team.licenceOf(one)).license_type).toBe('trial')
      expect((await team.membershipOf(one)).organization).toBeNull()
    }
    const ends = await stage.db.selectFrom('test_subscriptions').select('ends_at').execute()
    expect(ends.filter(({ ends_at }) => ends_at !== null && ends_at <= stage.now())).toHaveLength(1)
  },
)

onBothDatabases(
  'ORG-07 ORG-01 who claims a business licence owns an organization with the seats that were granted',
  async (stage) => {
    const server = await startTeamServer(stage)
    const [owner, byAdmin] = [await server.createMember(), await server.createMember()]
    const token = await server.offers.createLink(
      { type: 'business', storageBytes: 50 * 1024 ** 3, days: null, seats: 12, uses: 1 },
      null,
    )

    const before = (await server.membershipOf(owner)).organization
    await server.post('/api/claim-license', { magicToken: token }, owner.bearer)
    await stage.db
      .insertInto('licences')
      .values({
        user_id: byAdmin.userId,
        source: 'admin',
        type: 'business',
        storage_limit_bytes: 50 * 1024 ** 3,
        expires_at: stage.now() + 30 * day,
        updated_at: stage.now(),
      })
      .execute()
    const granted = (await server.dashboard(owner)).organization
    const ending = (await server.dashboard(byAdmin)).organization
    const joined = await server.addMember(owner, await server.createMember())

    expect(before).toBeNull()
    expect(granted).toMatchObject({
      name: `Team of ${owner.email.split('@')[0]}`,
      status: 'active',
      total_seats: 12,
      granted_seats: 12,
      monthly_cost_cents: 0,
      abilities: { add_seats: false, cancel: false, buy: true },
    })
    expect(ending).toMatchObject({ status: 'ending', total_seats: 5, ends_at: stage.now() + 30 * day })
    expect(joined.statusCode).toBe(200)
  },
)
