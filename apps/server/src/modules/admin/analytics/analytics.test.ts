import { dayOf } from '@sallyport/contract/days'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { startAdminServer } from '../../../testing/servers/admin-server.ts'

const day = 24 * 3_600_000
const nothing = {
  active_users: 0,
  new_users: 0,
  uploads: 0,
  uploaded_bytes: 0,
  downloads: 0,
  downloaded_bytes: 0,
  shares: 0,
  sessions: 0,
  portals: 0,
}

onBothDatabases(
  'ADM-07 analytics counts people, files and bytes exactly, also when they come at once',
  async (stage) => {
    const { server, admin, ask, stop } = await startAdminServer(stage, { TRUSTED_PROXIES: '127.0.0.1' })
    const members = await Promise.all([1, 2, 3].map(() => server.createMember()))
    const headers = { authorization: `Bearer ${admin.accessToken}` }
    const file = await sealFile({ plainBytes: 300 })
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => server.store((members[index % 3] ?? admin).accessToken, file)),
    )
    const [id = ''] = ids
    const owner = { authorization: `Bearer ${members[0]?.accessToken}` }
    const downloads = await Promise.all(
      Array.from({ length: 5 }, () => server.app.inject({ url: `/api/download/${id}`, headers: owner })),
    )
    const shareBody = { shareEncryptedFileKey: await file.wrap('share', file.rootKey) }
    const share = (times: number) =>
      Promise.all(
        Array.from({ length: times }, () =>
          server.app.inject({ method: 'POST', url: `/api/file/${id}/share-zk`, headers: owner, payload: shareBody }),
        ),
      )
    const shares = await share(3)
    const { login } = await signInAgain()
    const session = await server.app.inject({
      method: 'POST',
      url: '/api/sessions',
      headers,
      payload: { session_pin: '204060' },
    })

    expect(downloads.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(shares.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect([login, session.statusCode]).toEqual([200, 200])
    const today = {
      ...nothing,
      active_users: 4,
      new_users: 4,
      uploads: 20,
      uploaded_bytes: 6000,
      downloads: 5,
      downloaded_bytes: 1500,
      shares: 1,
      sessions: 1,
    }
    await expect.poll(async () => (await ask('analytics')).days.at(-1)).toEqual({ day: dayOf(Date.now()), ...today })
    await stop()

    async function signInAgain() {
      const { email, password } = admin
      const answer = await server.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } })
      return { login: answer.statusCode }
    }
  },
)

onBothDatabases(
  'ADM-07 analytics fills quiet days, and compares only with a period that was counted',
  async (stage) => {
    const { ask, stop } = await startAdminServer(stage)
    const daysAgo = (count: number): string => dayOf(Date.now() - count * day)
    await stage.db
      .insertInto('daily_counts')
      .values([
        { day: daysAgo(3), shard: 0, uploads: 2, uploaded_bytes: 5_000_000_000 },
        { day: daysAgo(3), shard: 7, uploads: 3, uploaded_bytes: 5_000_000_000 },
        { day: daysAgo(8), shard: 0, uploads: 4, uploaded_bytes: 0 },
        { day: daysAgo(12), shard: 0, uploads: 5, uploaded_bytes: 0 },
        { day: daysAgo(13), shard: 0, uploads: 6, uploaded_bytes: 0 },
      ])
      .execute()

    expect((await ask('analytics?days=7')).previous).toBeNull()
    await sql`update kysely_migration set timestamp = ${`${daysAgo(13)}T10:00:00.000Z`}`.execute(stage.db)

    const week = await ask('analytics?days=7')

    expect(week.days.map(({ day, uploads }: { day: string; uploads: number }) => [day, uploads])).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((count) => [daysAgo(count), count === 3 ? 5 : 0]),
    )
    expect(week.days[3].uploaded_bytes).toBe(10_000_000_000)
    expect(week.previous).toEqual({ ...nothing, uploads: 9 })
    expect(week.counted_since).toBe(daysAgo(13))
    const month = await ask('analytics')
    expect([month.days.length, month.previous]).toEqual([30, null])
    expect((await ask('analytics?days=365')).days).toHaveLength(365)
    expect((await ask('analytics?days=8')).code).toBe('BAD_REQUEST')
    await stop()
  },
)

onBothDatabases('ADM-07 a user is active once a day, by signing in or by an open page', async (stage) => {
  const { server, admin, ask, stop } = await startAdminServer(stage)
  const { email, password } = admin
  const yesterday = dayOf(Date.now() - day)
  const signIn = () => server.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } })
  const { session } = (await signIn()).json()
  await stage.db.updateTable('users').set({ active_day: yesterday }).execute()
  await stage.db.deleteFrom('daily_counts').execute()
  const refresh = (token: string) =>
    server.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: token },
    })

  const refreshed = (await refresh(session.refresh_token)).json()
  await refresh(refreshed.refresh_token)
  await signIn()

  expect((await ask('analytics?days=7')).days.at(-1)).toMatchObject({ active_users: 1, new_users: 0 })
  await stop()
})
