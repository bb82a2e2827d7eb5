import { deletionLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential } from '../../../testing/servers/account-server.ts'
import { type Member, startTeamServer } from '../../../testing/servers/team-server.ts'
import { tablesWith } from '../../../testing/tables-with.ts'

const missingId = '01a1fd00-0000-7000-8000-000000000000'
type Caller = Pick<Member, 'bearer'>

async function startAdminArea(stage: Stage) {
  const server = await startTeamServer(stage)
  const admin = await server.createMember()
  const promote = ({ userId }: Member) =>
    stage.db.insertInto('admins').values({ user_id: userId, since: stage.now() }).execute()
  await promote(admin)
  return {
    ...server,
    admin,
    promote,
    show: async ({ userId }: Member) => (await server.get(`/api/admin/users/${userId}/detailed`, admin.bearer)).json(),
    async listed({ email }: Member) {
      const { users } = (await server.get(`/api/admin/users?search=${email}`, admin.bearer)).json()
      return users.map(({ status }: { status: string }) => status)
    },
    async delete(userId: string, payload?: object, { bearer }: Caller = admin) {
      const request = { method: 'DELETE', url: `/api/admin/users/${userId}`, headers: bearer } as const
      const answer = await server.app.inject(payload ? { ...request, payload } : request)
      const { state, code, message } = answer.json()
      return { status: answer.statusCode, result: state ?? code, message }
    },
    signIn: async ({ email, password }: Member) => (await server.post('/api/login', { email, password })).statusCode,
    /** Registers an address with another password, and returns the status of signing in with it. */
    async register({ email }: Pick<Member, 'email'>) {
      const credentials = { email, password: randomCredential() }
      await server.post('/api/register', credentials)
      return (await server.post('/api/login', credentials)).statusCode
    },
    async auditRows() {
      const rows = await stage.db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()
      return rows.map(({ action, outcome, details }) => `${action} ${outcome} ${details}`)
    },
    async buyPlan({ email, bearer }: Member) {
      const order = { price_id: 'personal', customer_email: email, success_url: '/', cancel_url: '/' }
      const { checkout_url } = (await server.post('/api/stripe/create-checkout', order, bearer)).json()
      await server.post(`/api/billing/test-checkouts/${checkout_url.split('/').at(-1)}/pay`, {})
    },
    /** Takes the payment provider away; returns the function that brings it back. */
    async takeProviderAway() {
      await stage.db.schema.alterTable('test_subscriptions').renameTo('hidden_subscriptions').execute()
      return () => stage.db.schema.alterTable('hidden_subscriptions').renameTo('test_subscriptions').execute()
    },
  }
}

const endsOfPlans = async ({ db }: Stage): Promise<(number | null)[]> =>
  (await db.selectFrom('test_subscriptions').select('ends_at').execute()).map(({ ends_at }) => ends_at)

onBothDatabases('ADM-04 T232 a deleted user leaves no row but those of the audit log', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  await area.buyPlan(member)
  await area.startCheckout(member)
  await area.promote(member)
  expect((await area.show(member)).deletion).toBeNull()

  const answer = await area.delete(member.userId, { email: ` ${member.email.toUpperCase()} ` })

  expect(answer).toEqual({ status: 200, result: 'deleted', message: `${member.email} is deleted.` })
  expect(await tablesWith(stage.db, member.userId)).toEqual(['admin_audit'])
  expect(await area.auditRows()).toEqual(['user.delete done {}'])
  expect(await endsOfPlans(stage)).toEqual([expect.any(Number)])
  const checkouts = await stage.db.selectFrom('test_checkouts').select(['expires_at', 'subscription_id']).execute()
  const unpaid = checkouts.filter(({ subscription_id }) => subscription_id === null)
  expect(unpaid.map(({ expires_at }) => expires_at <= stage.now())).toEqual([true])
  expect((await area.get('/api/user-info', member.bearer)).statusCode).toBe(401)
  expect(await area.signIn(member)).not.toBe(200)
  expect((await area.emails()).at(-1)?.to?.[0]?.address).toBe(member.email)
  expect(await area.register(member)).toBe(200)
})

onBothDatabases(
  'ADM-04 T232 a deletion that is refused changes nothing, and has a row in the audit log',
  async (stage) => {
    const area = await startAdminArea(stage)
    const [member, other] = [await area.createMember(), await area.createMember()]
    const { userId, email } = member

    for (const typed of ['', 'x', `${email}x`, other.email, userId])
      expect(await area.delete(userId, { email: typed })).toMatchObject({ status: 400, result: 'NAME_DIFFERS' })
    expect(await area.delete(area.admin.userId, { email: area.admin.email })).toMatchObject({
      status: 409,
      result: 'OWN_ACCOUNT',
    })
    expect(await area.delete(missingId, {})).toMatchObject({ status: 404, result: 'NOT_FOUND' })
    expect(await area.delete(userId, { organization: { to: other.userId } })).toMatchObject({ result: 'CONFLICT' })
    const refused = await area.auditRows()
    // An admin who cannot sign in does not count.
    await area.promote(member)
    await stage.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', area.admin.userId).execute()
    expect(await area.delete(userId, { email })).toMatchObject({ status: 409, result: 'LAST_ADMIN' })

    expect(refused).toEqual([
      ...Array.from({ length: 5 }, () => 'user.delete refused {"code":"NAME_DIFFERS"}'),
      'user.delete refused {"code":"OWN_ACCOUNT"}',
      'user.delete refused {"code":"NOT_FOUND"}',
      `user.delete refused {"newOwnerId":"${other.userId}","code":"CONFLICT"}`,
    ])
    expect((await area.auditRows()).at(-1)).toBe('user.delete refused {"code":"LAST_ADMIN"}')
    expect(await tablesWith(stage.db, userId)).not.toContain('user_deletions')
    expect(await area.signIn(member)).toBe(200)
    expect((await area.get('/api/user-info', member.bearer)).statusCode).toBe(200)
  },
)

onBothDatabases('ADM-04 T231 T237 strangers, old passwords and wrong bodies delete nobody', async (stage) => {
  const area = await startAdminArea(stage)
  const [member, other] = [await area.createMember(), await area.createMember()]

  expect(await area.delete(member.userId, {}, other)).toMatchObject({ status: 403, result: 'FORBIDDEN' })
  expect(await area.delete('x', {})).toMatchObject({ status: 400, result: 'BAD_REQUEST' })
  for (const body of [{ email: 1 }, { email: 'x'.repeat(201) }, { organization: {} }, { organization: { to: 'x' } }])
    expect(await area.delete(member.userId, body)).toMatchObject({ status: 400, result: 'BAD_REQUEST' })
  stage.advance(6 * 60_000)
  expect(await area.delete(member.userId, {})).toMatchObject({ result: 'PASSWORD_PROOF_REQUIRED' })

  expect(await area.auditRows()).toEqual([])
  expect(await area.signIn(member)).toBe(200)
})

onBothDatabases('ADM-04 T229 of two admins who delete each other at once one remains', async (stage) => {
  const area = await startAdminArea(stage)
  const other = await area.createMember()
  await area.promote(other)

  const answers = await Promise.all([area.delete(other.userId), area.delete(area.admin.userId, undefined, other)])

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await stage.db.selectFrom('admins').select('user_id').execute()).toHaveLength(1)
})

onBothDatabases('ADM-04 an account without an email address is confirmed by its phone number', async (stage) => {
  const area = await startAdminArea(stage)
  const { userId } = await area.createMember()
  const change = { email: null, phone: '4915112345678', phone_confirmed_at: stage.now() }
  await stage.db.updateTable('users').set(change).where('id', '=', userId).execute()

  expect((await area.delete(userId, { email: '+49 151 12345679' })).result).toBe('NAME_DIFFERS')
  expect((await area.delete(userId, { email: '' })).result).toBe('NAME_DIFFERS')
  expect((await area.delete(userId, { email: '+49 151 12345678' })).result).toBe('deleted')
})

for (const [how, organization] of [
  ['without a choice', undefined],
  ['with that choice', { close: true }],
] as const)
  onBothDatabases(`ADM-04 P18 the organization of a deleted owner is closed ${how}`, async (stage) => {
    const area = await startAdminArea(stage)
    const [owner, member] = [await area.createMember(), await area.createMember()]
    await area.buy(owner)
    await area.addMember(owner, member)
    expect((await area.show(owner)).organization).toEqual({
      name: 'Blue Whale',
      candidates: [{ id: member.userId, email: member.email, phone: null }],
    })
    expect((await area.show(member)).organization).toBeNull()

    expect((await area.delete(owner.userId, { email: owner.email, organization })).result).toBe('deleted')

    expect(await stage.db.selectFrom('organizations').select('name').execute()).toEqual([])
    expect(await endsOfPlans(stage)).toEqual([expect.any(Number)])
    expect((await area.licenceOf(member)).license_type).toBe('trial')
  })

onBothDatabases('ADM-04 P18 a member who is named takes the organization over with its seats', async (stage) => {
  const area = await startAdminArea(stage)
  const [owner, heir, banned, stranger] = [
    await area.createMember(),
    await area.createMember(),
    await area.createMember(),
    await area.createMember(),
  ]
  await area.buy(owner, { quantity: 7 })
  await area.addMember(owner, heir)
  await area.addMember(owner, banned)
  await area.post(`/api/admin/users/${banned.userId}/ban`, {}, area.admin.bearer)
  const handOver = (to: string) => area.delete(owner.userId, { email: owner.email, organization: { to } })

  for (const { userId } of [stranger, banned, owner]) expect((await handOver(userId)).result).toBe('CONFLICT')
  expect((await area.dashboard(owner)).organization.name).toBe('Blue Whale')
  expect((await handOver(heir.userId)).result).toBe('deleted')

  const { organization, members } = await area.dashboard(heir)
  expect(organization).toMatchObject({ name: 'Blue Whale', total_seats: 7, used_seats: 2 })
  expect(members[0]).toMatchObject({ email: heir.email, role: 'owner' })
  expect(await endsOfPlans(stage)).toEqual([null])
  expect((await area.addSeats(heir, 1)).json()).toMatchObject({ success: true, total_seats: 8 })
  expect((await area.licenceOf(heir)).license_type).toBe('business')
  expect(await tablesWith(stage.db, owner.userId)).toEqual(['admin_audit'])
  expect((await area.auditRows()).at(-1)).toBe(`user.delete done {"newOwnerId":"${heir.userId}"}`)
})

onBothDatabases('ADM-04 P18 granted seats go to the new owner', async (stage) => {
  const area = await startAdminArea(stage)
  const [owner, heir] = [await area.createMember(), await area.createMember()]
  await area.put(`/api/admin/users/${owner.userId}/license`, { license_type: 'business' }, area.admin.bearer)
  await area.dashboard(owner)
  await area.addMember(owner, heir)

  await area.delete(owner.userId, { organization: { to: heir.userId } })

  expect((await area.dashboard(heir)).organization).toMatchObject({ total_seats: 5, used_seats: 1 })
})

onBothDatabases(
  'ADM-04 T232 a deletion waits for the payment provider: nobody can use the account or its address',
  async (stage) => {
    const area = await startAdminArea(stage)
    const member = await area.createMember()
    await area.buyPlan(member)
    const bringBack = await area.takeProviderAway()

    const begun = await area.delete(member.userId, { email: member.email })

    expect(begun).toMatchObject({
      result: 'deleting',
      message: `${member.email} is signed out and being deleted.`,
    })
    const shown = await area.show(member)
    expect(shown.user.status).toBe('deleting')
    expect(shown.deletion).toEqual({ step: 'subscription', since: stage.now(), error: 'INTERNAL' })
    expect(Object.entries(shown.abilities).filter(([, allowed]) => allowed)).toEqual([['delete', true]])
    expect(await area.listed(member)).toEqual(['deleting'])
    expect((await area.get('/api/user-info', member.bearer)).statusCode).toBe(401)
    expect((await area.refresh(member.refreshToken)).statusCode).not.toBe(200)
    expect(await area.signIn(member)).not.toBe(200)
    expect(await area.register(member)).not.toBe(200)
    for (const action of ['promote', 'demote', 'ban', 'unban', 'sign-out', 'cancel-subscription']) {
      const answer = await area.post(`/api/admin/users/${member.userId}/${action}`, {}, area.admin.bearer)
      expect(answer.json().code, action).toBe('CONFLICT')
    }
    // The ban by which users cannot sign in is not what protects a deleted one.
    await stage.db.updateTable('users').set({ banned_until: null }).where('id', '=', member.userId).execute()
    expect(await area.signIn(member)).not.toBe(200)

    stage.advance(deletionLimits.retryMs)
    await area.runDeletions()
    expect((await area.show(member)).deletion.error).toBe('INTERNAL')
    await bringBack()
    stage.advance(deletionLimits.retryMs)
    await area.runDeletions()
    expect(await area.listed(member)).toEqual(['deleting'])
    stage.advance(deletionLimits.retryMs)
    await area.runDeletions()

    expect(await area.listed(member)).toEqual([])
    expect(await tablesWith(stage.db, member.userId)).toEqual(['admin_audit'])
    expect(await endsOfPlans(stage)).toEqual([expect.any(Number)])
    expect(await area.register(member)).toBe(200)
  },
)

onBothDatabases('ADM-04 T232 deleting again retries at once, with a row of its own', async (stage) => {
  const area = await startAdminArea(stage)
  const [owner, member] = [await area.createMember(), await area.createMember()]
  await area.buy(owner)
  await area.addMember(owner, member)
  const bringBack = await area.takeProviderAway()

  expect((await area.delete(owner.userId)).result).toBe('deleting')
  expect((await area.show(owner)).deletion).toMatchObject({ step: 'organization', error: 'INTERNAL' })
  expect((await area.delete(owner.userId)).result).toBe('deleting')
  // An organization that may be half closed is not handed over any more.
  const handOver = { organization: { to: member.userId } }
  expect((await area.delete(owner.userId, handOver)).result).toBe('CONFLICT')
  await bringBack()
  expect((await area.delete(owner.userId, { email: owner.email })).result).toBe('deleted')

  expect((await area.auditRows()).map((row) => row.split(' ')[1])).toEqual(['done', 'done', 'refused', 'done'])
  expect(JSON.stringify(await area.auditRows())).not.toContain('@')
  expect((await area.licenceOf(member)).license_type).toBe('trial')
})

onBothDatabases('ADM-04 T232 an unconfirmed address cannot be registered during its deletion', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  await area.buyPlan(member)
  const bringBack = await area.takeProviderAway()
  await stage.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', member.userId).execute()
  await area.delete(member.userId)

  expect(await area.register(member)).not.toBe(200)
  expect(await area.signIn(member)).not.toBe(200)
  await bringBack()
  expect((await area.delete(member.userId)).result).toBe('deleted')
  expect(await area.register(member)).toBe(200)
})

onBothDatabases('ADM-04 T152 a deletion that was claimed while the clock was ahead is continued', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  await area.buyPlan(member)
  const bringBack = await area.takeProviderAway()
  await area.delete(member.userId)
  await bringBack()
  const claimed = { claim: 'crashed', due_at: stage.now() + 30 * 24 * 3_600_000 }
  await stage.db.updateTable('user_deletions').set(claimed).execute()

  await area.runDeletions()

  expect(await tablesWith(stage.db, member.userId)).toEqual(['admin_audit'])
})

onBothDatabases('ADM-04 T232 several nodes delete a user once, and one continues after another', async (stage) => {
  const [area, second] = [await startAdminArea(stage), await startTeamServer(stage)]
  const member = await area.createMember()
  await area.buyPlan(member)
  const bringBack = await area.takeProviderAway()
  await area.delete(member.userId)
  await bringBack()
  // Another node, which has crashed, has claimed it.
  const claimed = { claim: 'crashed', due_at: stage.now() + deletionLimits.leaseMs }
  await stage.db.updateTable('user_deletions').set(claimed).execute()

  await Promise.all([area.runDeletions(), second.runDeletions()])
  expect((await area.delete(member.userId)).result).toBe('deleting')
  stage.advance(deletionLimits.leaseMs)
  await Promise.all([area.runDeletions(), second.runDeletions(), area.delete(member.userId)])

  expect(await tablesWith(stage.db, member.userId)).toEqual(['admin_audit'])
  const notices = (await area.emails()).filter(({ to }) => to?.some(({ address }) => address === member.email))
  expect(notices.filter(({ subject }) => /deleted/i.test(subject ?? ''))).toHaveLength(1)
})
