import { dayOf } from '@sallyport/contract/days'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startAdminServer } from '../../../testing/servers/admin-server.ts'

const password = `Zk2.${'a'.repeat(43)}`
const nothing = { failed_sign_ins: 0, refused_sign_ins: 0, wrong_codes: 0, wrong_pins: 0 }

onBothDatabases('ADM-07 100 failed sign-ins and 30 wrong PINs appear exactly, by day and by network', async (stage) => {
  const { server, ask, stop } = await startAdminServer(stage, { TRUSTED_PROXIES: '127.0.0.1' })
  const post = (url: string, address: string, payload: object) =>
    server.app.inject({ method: 'POST', url, headers: { 'x-forwarded-for': address }, payload })
  const signIn = (index: number) =>
    post('/api/login', `203.0.113.${index % 50}`, { email: `nobody${index % 60}@example.org`, password })
  const guess = (index: number) =>
    post('/api/sessions/join', `198.51.100.${index}`, { session_pin: String(200_000 + index) })

  const signIns = []
  // As many at once as the server compares.
  for (let first = 0; first < 100; first += 5)
    signIns.push(...(await Promise.all([0, 1, 2, 3, 4].map((index) => signIn(first + index)))))
  const guesses = []
  for (let index = 0; index < 30; index += 1) guesses.push(await guess(index))
  await post('/api/login', '192.168.4.4', { email: 'nobody@example.org', password })

  expect(new Set(signIns.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  expect(guesses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 30 }, () => 404))
  const { days, networks } = await ask('security?days=7')
  const today = dayOf(Date.now())
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toEqual({
    day: today,
    ...nothing,
    failed_sign_ins: 101,
    wrong_pins: 30,
    bans: 0,
    admin_actions: 0,
  })
  expect(networks).toEqual([
    { network: expect.stringMatching(/^[0-9a-f]{6}$/), ...nothing, failed_sign_ins: 100, last_day: today },
    { network: expect.stringMatching(/^[0-9a-f]{6}$/), ...nothing, wrong_pins: 30, last_day: today },
    { network: 'local', ...nothing, failed_sign_ins: 1, last_day: today },
  ])
  const stored = JSON.stringify(await stage.db.selectFrom('failed_attempts').selectAll().execute())
  expect(stored).not.toMatch(/203\.0|198\.51|192\.168|nobody/)
  await stop()
})

onBothDatabases(
  'ADM-07 refused sign-ins, bans and actions of admins are counted, and listed with who and whom',
  async (stage) => {
    const { server, admin, ask, post, stop } = await startAdminServer(stage)
    const member = await server.createMember()
    for (let count = 0; count < 12; count += 1)
      await server.app.inject({ method: 'POST', url: '/api/login', payload: { email: member.email, password } })

    const answers = [
      await post(`users/${member.userId}/ban`),
      await post(`users/${member.userId}/unban`),
      await post(`users/${admin.userId}/ban`),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 409])
    const { days, counted_since } = await ask('security')
    expect(days.at(-1)).toMatchObject({ failed_sign_ins: 10, refused_sign_ins: 2, bans: 1, admin_actions: 3 })
    // The database was created by this run of the tests, which may have begun before midnight.
    const today = Date.now()
    expect([dayOf(today), dayOf(today - 24 * 3_600_000)]).toContain(counted_since)
    const { rows, next, verified } = await ask('audit')
    expect(rows.map(({ seq, action, outcome }: Row) => [seq, action, outcome])).toEqual([
      [3, 'user.ban', 'refused'],
      [2, 'user.unban', 'done'],
      [1, 'user.ban', 'done'],
    ])
    expect(rows[2]).toMatchObject({
      actor: { kind: 'admin', id: admin.userId, email: admin.email },
      subject: { id: member.userId, email: member.email },
    })
    expect([next, verified.broken_at]).toEqual([null, null])
    expect((await ask('audit?outcome=refused')).rows.map(({ seq }: Row) => seq)).toEqual([3])
    expect((await ask('audit?before=2')).rows.map(({ seq }: Row) => seq)).toEqual([1])
    await stop()
  },
)

onBothDatabases('ADM-07 the audit log is listed in pages, and says where it was manipulated', async (stage) => {
  const { server, ask, post, stop } = await startAdminServer(stage)
  const { userId } = await server.createMember()
  for (let count = 0; count < 27; count += 1) {
    await post(`users/${userId}/ban`)
    await post(`users/${userId}/unban`)
  }
  await stage.db.deleteFrom('users').where('id', '=', userId).execute()
  if (stage.databaseUrl === undefined) {
    await sql`drop trigger admin_audit_no_delete`.execute(stage.db)
    await stage.db.deleteFrom('admin_audit').where('seq', '=', 20).execute()
  }

  const first = await ask('audit')
  const second = await ask(`audit?before=${first.next}`)

  expect([first.rows.length, first.next]).toEqual([50, first.rows.at(-1).seq])
  expect(second.next).toBeNull()
  expect(second.rows.at(-1)).toMatchObject({ seq: 1, subject: { id: userId, email: null } })
  expect(first.verified.broken_at).toBe(stage.databaseUrl === undefined ? 21 : null)
  await stop()
})

onBothDatabases('ADM-07 manipulated rows hide neither the audit log nor the warning', async (stage) => {
  const { server, ask, post, stop } = await startAdminServer(stage)
  const { userId } = await server.createMember()
  for (let count = 0; count < 3; count += 1) await post(`users/${userId}/ban`)
  if (stage.databaseUrl === undefined) await sql`drop trigger admin_audit_no_update`.execute(stage.db)
  else await sql`alter table admin_audit disable trigger all`.execute(stage.db)
  const change = { at: sql<number>`9223372036854775807`, outcome: 'odd', details: '[{"x":' }
  await stage.db.updateTable('admin_audit').set(change).where('seq', '=', 2).execute()

  const { rows, verified } = await ask('audit')

  expect(rows.map(({ seq, outcome }: Row) => [seq, outcome])).toEqual([
    [3, 'refused'],
    [2, 'failed'],
    [1, 'done'],
  ])
  expect(rows[1]).toMatchObject({ details: {}, at: 8.64e15 })
  expect(verified.broken_at).toBe(2)
  expect((await ask('security')).days.at(-1)).toMatchObject({ bans: 1, admin_actions: 2 })
  await stop()
})

interface Row {
  readonly seq: number
  readonly action: string
  readonly outcome: string
}
