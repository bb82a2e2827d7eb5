import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { type AccountServer, startAccountServer } from '../../../testing/servers/account-server.ts'
import { ownOrigin } from '../../../testing/servers/test-context.ts'
import type { BillingMode } from '../../billing/billing-mode.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3
const missingId = '01a1fd00-0000-7000-8000-000000000000'
const actions = ['promote', 'demote', 'ban', 'unban', 'sign-out', 'cancel-subscription'] as const
type Member = Awaited<ReturnType<AccountServer['createMember']>>

async function startAdminArea(stage: Stage, billing: BillingMode = 'test') {
  const server = await startAccountServer(stage, { billing })
  const admin = await server.createMember({ policy: 'remember' })
  await stage.db.insertInto('admins').values({ user_id: admin.userId, since: stage.now() }).execute()
  const auditRows = () => stage.db.selectFrom('admin_audit').selectAll().orderBy('seq').execute()
  return {
    ...server,
    admin,
    auditRows,
    list: async (query: object = {}, { bearer }: Pick<Member, 'bearer'> = admin) =>
      (await server.get(`/api/admin/users?${new URLSearchParams({ ...query })}`, bearer)).json(),
    show: async ({ userId }: Pick<Member, 'userId'>) =>
      (await server.get(`/api/admin/users/${userId}/detailed`, admin.bearer)).json(),
    act: (action: string, userId: string, { bearer }: Pick<Member, 'bearer'> = admin, body: object = {}) =>
      server.post(`/api/admin/users/${userId}/${action}`, body, bearer),
    setLicence: (userId: string, type: string, { bearer }: Pick<Member, 'bearer'> = admin) =>
      server.put(`/api/admin/users/${userId}/license`, { license_type: type }, bearer),
    async buyPlan({ email, bearer }: Member) {
      const order = {
        price_id: 'personal',
        customer_email: email,
        success_url: `${ownOrigin}/upgrade-success`,
        cancel_url: `${ownOrigin}/settings`,
      }
      const { checkout_id } = (await server.post('/api/stripe/create-checkout', order, bearer)).json()
      const { provider_id } = await stage.db
        .selectFrom('billing_checkouts')
        .select('provider_id')
        .where('id', '=', checkout_id)
        .executeTakeFirstOrThrow()
      await server.post(`/api/billing/test-checkouts/${provider_id}/pay`, {})
    },
  }
}

onBothDatabases('ADM-02 admins search, filter, sort and page the list of users', async (stage) => {
  const area = await startAdminArea(stage)
  const members: Member[] = []
  for (let count = 0; count < 7; count += 1) members.push(await area.createMember())
  const [first, second, third] = members as [Member, Member, Member]
  await area.setLicence(second.userId, 'vip')
  await area.buyPlan(third)
  await stage.db
    .updateTable('storage_use')
    .set({ used_bytes: 5000, file_count: 3 })
    .where('user_id', '=', first.userId)
    .execute()
  await area.refreshLicences()
  const emailsOf = ({ users }: { users: { email: string }[] }) => users.map(({ email }) => email)
  const all = [area.admin, ...members].map(({ email }) => email)

  const listed = await area.list()
  expect(listed.pagination).toEqual({ page: 1, limit: 50, total: 8 })
  expect(emailsOf(listed)).toEqual(all.toReversed())
  expect(listed.users.at(-2)).toEqual({
    id: first.userId,
    email: first.email,
    phone: null,
    is_admin: false,
    status: 'active',
    license_type: 'trial',
    created_at: expect.any(Number),
    last_login_at: expect.any(Number),
    file_count: 3,
    total_storage_used: 5000,
  })
  expect(listed.users.at(-1)).toMatchObject({ email: area.admin.email, is_admin: true })

  expect(emailsOf(await area.list({ sort_by: 'email', sort_order: 'asc' }))).toEqual(all.toSorted())
  expect(emailsOf(await area.list({ sort_by: 'total_storage' }))[0]).toBe(first.email)
  expect(emailsOf(await area.list({ sort_by: 'file_count', sort_order: 'asc' })).at(-1)).toBe(first.email)
  expect(emailsOf(await area.list({ sort_by: 'license_type' })).slice(0, 1)).toEqual([second.email])
  expect(emailsOf(await area.list({ sort_by: 'last_login_at', sort_order: 'asc' }))[0]).toBe(area.admin.email)

  expect(emailsOf(await area.list({ license_type: 'vip' }))).toEqual([second.email])
  expect(emailsOf(await area.list({ license_type: 'paid' }))).toEqual([third.email])
  expect((await area.list({ license_type: 'nonprofit' })).pagination.total).toBe(0)
  expect(emailsOf(await area.list({ search: ` ${first.email.slice(2, 9).toUpperCase()} ` }))).toEqual([first.email])

  const pages = await Promise.all([1, 2, 3, 4].map((page) => area.list({ page, limit: 3 })))
  expect(pages.flatMap(emailsOf)).toEqual(all.toReversed())
  expect(pages.map(({ users }) => users.length)).toEqual([3, 3, 2, 0])
})

onBothDatabases('T233 ADM-02 a search is taken literally, and wrong pages are rejected', async (stage) => {
  const area = await startAdminArea(stage)
  const odd = "o'brien_100%\\x@example.org"
  await area.createMember()
  await stage.db.updateTable('users').set({ email: odd }).where('id', '!=', area.admin.userId).execute()
  const emails = async (search: string) => (await area.list({ search })).users.map(({ email }: Member) => email)

  await stage.db.updateTable('users').set({ phone: '4915112345678' }).where('email', '=', odd).execute()
  for (const search of ['+49 151 123', '(0151) 12'.replace('0', ''), '4915112345678'])
    expect(await emails(search), search).toEqual([odd])
  for (const search of ['%', '_', '\\', "'", '100%', "o'b", '\\x@']) expect(await emails(search), search).toEqual([odd])
  for (const search of ["' or 1=1 --", '%%', '__', 'O%n', 'x'.repeat(200)])
    expect(await emails(search), search).toEqual([])
  for (const query of [
    { page: 0 },
    { page: -1 },
    { page: 'x' },
    { limit: 0 },
    { limit: 201 },
    { sort_by: 'password_hash' },
    { sort_by: 'email; drop table users' },
    { sort_order: 'up' },
    { license_type: 'gold' },
    { search: 'x'.repeat(201) },
  ])
    expect(await area.list(query), JSON.stringify(query)).toMatchObject({ success: false, code: 'BAD_REQUEST' })
})

onBothDatabases('ADM-03 the page of a user has sizes, counts and times, and what may be done', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()

  const trial = await area.show(member)
  expect(trial.user).toMatchObject({
    id: member.userId,
    email: member.email,
    is_admin: false,
    status: 'active',
    license_type: 'trial',
    subscription_status: 'none',
    stripe_subscription_id: null,
    stripe_customer_id: null,
    storage_used_bytes: 0,
    storage_limit_bytes: gigabyte,
    has_second_factor: false,
    auth_sessions: 1,
  })
  expect(trial.subscription).toBeNull()
  expect(trial.stats).toMatchObject({ currentFiles: 0, totalDownloads: 0, isOnline: false })
  expect(trial.abilities).toEqual({
    promote: true,
    demote: false,
    ban: true,
    unban: false,
    'sign-out': true,
    'set-licence': true,
    'extend-licence': true,
    'cancel-subscription': false,
    delete: true,
  })

  await area.buyPlan(member)
  const closePage = area.online.add(member.userId)
  const paid = await area.show(member)
  closePage()
  expect(paid.user).toMatchObject({ license_type: 'personal', subscription_status: 'active' })
  expect(paid.subscription).toEqual({
    status: 'active',
    current_period_end: expect.any(Number),
    cancel_at_period_end: false,
  })
  expect(paid.stats.isOnline).toBe(true)
  expect(paid.abilities['cancel-subscription']).toBe(true)

  const own = await area.show(area.admin)
  expect(own.abilities).toMatchObject({ demote: false, ban: false, 'sign-out': false })
  for (const path of ['detailed', 'subscription'])
    expect((await area.get(`/api/admin/users/${missingId}/${path}`, area.admin.bearer)).statusCode).toBe(404)
})

onBothDatabases('ADM-04 T230 actions work at once, and each has one row in the audit log', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  const { userId } = member
  const messageOf = (answer: Awaited<ReturnType<typeof area.act>>) => answer.json().message ?? answer.json().code

  expect(messageOf(await area.act('promote', userId))).toBe(`${member.email} is an admin.`)
  expect((await area.get('/api/admin/status', member.bearer)).json()).toEqual({ success: true, is_admin: true })
  expect(messageOf(await area.act('promote', userId))).toBe('CONFLICT')
  expect(messageOf(await area.act('demote', userId))).toBe(`${member.email} is no longer an admin.`)
  expect(messageOf(await area.act('demote', area.admin.userId))).toBe('LAST_ADMIN')
  expect(messageOf(await area.act('ban', area.admin.userId))).toBe('OWN_ACCOUNT')
  expect(messageOf(await area.act('ban', userId))).toBe(`${member.email} is banned and signed out on all devices.`)
  expect((await area.get('/api/user-info', member.bearer)).statusCode).toBe(401)
  const { email, password } = member
  const refused = await area.post('/api/login', { email, password })
  expect(refused.statusCode).not.toBe(200)
  expect(messageOf(await area.act('unban', userId))).toBe(`${email} can sign in again.`)
  const { session } = (await area.post('/api/login', { email, password })).json()
  const again = { bearer: { authorization: `Bearer ${session.access_token}` } }
  expect((await area.get('/api/user-info', again.bearer)).statusCode).toBe(200)
  expect(messageOf(await area.act('sign-out', userId))).toBe(`${email} is signed out on all devices.`)
  expect((await area.get('/api/user-info', again.bearer)).statusCode).toBe(401)
  expect(messageOf(await area.setLicence(userId, 'vip'))).toBe('Saved.')
  expect((await area.show(member)).user).toMatchObject({ license_type: 'vip', license_expires_at: null })
  expect(messageOf(await area.act('extend-subscription', userId, area.admin, { days: 10 }))).toBe('LICENSE_UNLIMITED')
  expect(messageOf(await area.act('cancel-subscription', userId))).toBe('NO_SUBSCRIPTION')
  expect(messageOf(await area.act('promote', missingId))).toBe('NOT_FOUND')

  const rows = await area.auditRows()
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'user.promote done',
    'user.promote refused',
    'user.demote done',
    'user.demote refused',
    'user.ban refused',
    'user.ban done',
    'user.unban done',
    'user.sign-out done',
    'user.set-licence done',
    'user.extend-licence refused',
    'user.cancel-subscription refused',
    'user.promote refused',
  ])
  expect(new Set(rows.map(({ actor_id }) => actor_id))).toEqual(new Set([area.admin.userId]))
  expect(JSON.stringify(rows)).not.toContain('@')
})

onBothDatabases('ADM-04 a licence or a subscription is extended by days, and cancelled', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember({ policy: 'remember' })
  const { userId } = member
  const extend = (days: unknown) => area.act('extend-subscription', userId, area.admin, { days })

  for (const days of [0, -1, 1.5, '10', 3651, null]) expect((await extend(days)).statusCode, String(days)).toBe(400)
  const before = (await area.show(member)).user.license_expires_at
  expect((await extend(10)).json().message).toMatch(/^Extended by 10 days, until \w+ \d+, \d{4}\.$/)
  expect((await area.show(member)).user).toMatchObject({
    license_type: 'trial',
    license_expires_at: before + 10 * day,
  })

  await area.buyPlan(member)
  const bought = (await area.show(member)).subscription
  stage.advance(3 * day)
  const { session } = (await area.post('/api/login', { email: area.admin.email, password: area.admin.password })).json()
  area.admin.bearer.authorization = `Bearer ${session.access_token}`
  expect((await extend(1)).json().message).toMatch(/^Extended by 1 day, until/)
  const extended = (await area.show(member)).subscription
  expect(extended).toMatchObject({ status: 'active', cancel_at_period_end: false })
  // A day that the month before does not have is the first one after it.
  const addedDays = (extended.current_period_end - bought.current_period_end) / day
  expect([1, 2, 3, 4]).toContain(addedDays)
  const cancelled = await area.act('cancel-subscription', userId)
  expect(cancelled.json().message).toMatch(/^The plan stays until \w+ \d+, \d{4}\.$/)
  expect((await area.show(member)).subscription.cancel_at_period_end).toBe(true)
  expect((await area.act('cancel-subscription', userId)).json().code).toBe('NO_SUBSCRIPTION')
  expect((await area.setLicence(userId, 'vip')).json().message).toBe('Saved. The paid plan counts until it ends.')
})

onBothDatabases('T231 SHL-10 ADM-06 only admins may call, until the moment they are demoted', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  const other = await area.createMember()
  const callAll = async (caller: Pick<Member, 'bearer'>) => {
    const { userId } = other
    const answers = [
      await area.get('/api/admin/users', caller.bearer),
      await area.get(`/api/admin/users/${userId}/detailed`, caller.bearer),
      await area.get(`/api/admin/users/${userId}/subscription`, caller.bearer),
      await area.setLicence(userId, 'vip', caller),
      await area.act('extend-subscription', userId, caller, { days: 1 }),
      ...(await Promise.all(actions.map((action) => area.act(action, userId, caller)))),
    ]
    return new Set(answers.map((answer) => `${answer.statusCode} ${answer.json().code}`))
  }

  expect(await callAll({ bearer: {} as Member['bearer'] })).toEqual(new Set(['401 NO_TOKEN']))
  expect(await callAll(member)).toEqual(new Set(['403 FORBIDDEN']))
  await area.act('promote', member.userId)
  expect((await area.list({}, member)).success).toBe(true)
  await area.act('demote', member.userId)
  expect(await callAll(member)).toEqual(new Set(['403 FORBIDDEN']))
  expect((await area.get('/api/admin/status', member.bearer)).json()).toEqual({ success: true, is_admin: false })
  expect((await area.auditRows()).map(({ action }) => action)).toEqual(['user.promote', 'user.demote'])
})

onBothDatabases('T237 ADM-04 changes need a password or second factor of the last five minutes', async (stage) => {
  const area = await startAdminArea(stage)
  const member = await area.createMember()
  stage.advance(6 * 60_000)

  for (const action of actions)
    expect((await area.act(action, member.userId)).json().code, action).toBe('PASSWORD_PROOF_REQUIRED')
  expect((await area.setLicence(member.userId, 'vip')).json().code).toBe('PASSWORD_PROOF_REQUIRED')
  expect((await area.list()).success).toBe(true)
  await area.post('/api/account/reauthenticate', { password: area.admin.password }, area.admin.bearer)
  expect((await area.setLicence(member.userId, 'vip')).json().message).toBe('Saved.')
})

onBothDatabases('T229 two admins who demote or ban each other at once leave one who can sign in', async (stage) => {
  const area = await startAdminArea(stage)
  const other = await area.createMember()
  for (let round = 0; round < 10; round += 1) {
    await area.act('promote', other.userId)
    const answers = await Promise.all([
      area.act('demote', other.userId, area.admin),
      area.act('demote', area.admin.userId, other),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const admins = await stage.db.selectFrom('admins').select('user_id').execute()
    expect(admins).toHaveLength(1)
    if (admins[0]?.user_id === other.userId) {
      await area.act('promote', area.admin.userId, other)
      await area.act('demote', other.userId)
    }
  }
  await area.act('promote', other.userId)
  const bans = await Promise.all([area.act('ban', other.userId, area.admin), area.act('ban', area.admin.userId, other)])
  expect(bans.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

onBothDatabases('ADM-04 an action that has waited counts only if its admin still is one', async (stage) => {
  const area = await startAdminArea(stage)
  const demoted = await area.createMember()
  const member = await area.createMember()
  await area.act('promote', demoted.userId)

  const answers = await Promise.all([
    area.act('demote', demoted.userId),
    ...Array.from({ length: 10 }, () => area.setLicence(member.userId, 'vip', demoted)),
  ])
  expect(answers[0]?.statusCode).toBe(200)
  const rows = await area.auditRows()
  const demotion = rows.find(({ action }) => action === 'user.demote')
  const late = rows.filter(({ seq, actor_id }) => seq > Number(demotion?.seq) && actor_id === demoted.userId)
  expect(late.map(({ outcome }) => outcome)).not.toContain('done')
})

onBothDatabases(
  'ADM-04 a subscription is not offered for cancelling where plans are not sold any more',
  async (stage) => {
    const shop = await startAdminArea(stage)
    const member = await shop.createMember()
    await shop.buyPlan(member)
    const area = await startAdminArea(stage, 'contact')

    const shown = await area.show(member)
    expect(shown.user.license_type).toBe('personal')
    expect(shown.abilities['cancel-subscription']).toBe(false)
    expect((await area.act('cancel-subscription', member.userId)).json().code).toBe('NO_SUBSCRIPTION')
    expect((await area.act('extend-subscription', member.userId, area.admin, { days: 2 })).statusCode).toBe(200)
  },
)
