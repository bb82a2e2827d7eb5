import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { startTeamServer } from '../../testing/servers/team-server.ts'

/** A team of two, and the deletion of users by the operator's own client. */
async function startTeam(stage: Stage) {
  const server = await startTeamServer(stage)
  const [owner, member] = [await server.createMember(), await server.createMember()]
  await server.buy(owner)
  await server.addMember(owner, member)
  const headers = { authorization: `Bearer ${await server.provider.issueServiceKey(3600)}` }
  const deleteUser = (userId: string, isSoft: boolean) =>
    server.app.inject({
      method: 'DELETE',
      url: `/auth/v1/admin/users/${userId}`,
      headers,
      payload: { should_soft_delete: isSoft },
    })
  return { ...server, owner, member, deleteUser }
}

for (const isSoft of [false, true]) {
  const kind = isSoft ? 'whose row stays' : 'deleted by the operator'

  onBothDatabases(`ORG-04 PLN-06 an owner ${kind} ends the plan, and everyone else is on a trial`, async (stage) => {
    const team = await startTeam(stage)

    const deleted = await team.deleteUser(team.owner.userId, isSoft)

    expect(deleted.statusCode).toBe(200)
    expect(await stage.db.selectFrom('organizations').select('name').execute()).toEqual([])
    expect((await team.licenceOf(team.member)).license_type).toBe('trial')
    const { ends_at } = await stage.db.selectFrom('test_subscriptions').select('ends_at').executeTakeFirstOrThrow()
    expect(ends_at).toBeLessThanOrEqual(stage.now())
  })

  onBothDatabases(`ORG-04 the seat of a member ${kind} is free`, async (stage) => {
    const team = await startTeam(stage)

    await team.deleteUser(team.member.userId, isSoft)

    const { organization, members } = await team.dashboard(team.owner)
    expect(organization.used_seats).toBe(1)
    expect(members).toMatchObject([{ email: team.owner.email }])
  })
}

onBothDatabases(
  'ORG-04 an owner is not deleted while the plan cannot be ended, and the next attempt ends it',
  async (stage) => {
    const team = await startTeam(stage)
    const deleteOwner = () => team.remove('/api/account', team.owner.bearer)
    await stage.db.schema.alterTable('test_subscriptions').renameTo('hidden_subscriptions').execute()

    const failed = await deleteOwner()
    await stage.db.schema.alterTable('hidden_subscriptions').renameTo('test_subscriptions').execute()
    const before = await stage.db.selectFrom('organizations').select('name').execute()
    const deleted = await deleteOwner()

    expect([failed.statusCode, deleted.statusCode]).toEqual([500, 200])
    expect(before).toEqual([{ name: 'Blue Whale' }])
    expect(await stage.db.selectFrom('organizations').select('name').execute()).toEqual([])
  },
)
