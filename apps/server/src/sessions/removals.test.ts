import { sessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sessionKeyEpochs } from '../db/migrations/0019-session-key-epochs.ts'
import { onSessionServer } from '../testing/session-server.ts'

onSessionServer(
  'SES-11 a removal replaces the share of the key, and those who stay learn the new one',
  async (server) => {
    const { aSession, aGuest, listen, remove, get } = server
    const { id, pin, token, session } = await aSession()
    const [staying, removed] = [await aGuest(pin), await aGuest(pin)]
    const { events } = await listen(id, { token: staying.token })
    const gone = await listen(id, { token: removed.token })
    await expect.poll(() => [events[0]?.type, gone.events[0]?.type]).toEqual(['ready', 'ready'])

    const removal = await remove(`/api/sessions/${id}/participants/${removed.id}`, { token })

    await expect.poll(() => events.map(({ type }) => type)).toContain('session.key')
    const now = (await get(`/api/sessions/${id}`, { token: staying.token })).json().session
    expect(removal.statusCode).toBe(200)
    expect(now.earlier_key_shares).toEqual([session.key_share])
    expect(Buffer.from(now.key_share, 'base64url')).toHaveLength(32)
    expect(now.key_share).not.toBe(session.key_share)
    expect(await gone.closed).toBe(4001)
    const heard = JSON.stringify([gone.events, removed])
    expect(heard).not.toContain(now.key_share)
    expect(heard).not.toContain('session.key')
    expect((await get(`/api/sessions/${id}`, { token: removed.token })).statusCode).toBe(404)
    expect(events.map((event) => JSON.stringify(event)).join(), 'events carry no share').not.toContain(now.key_share)
  },
)

onSessionServer(
  'SES-11 removals at the same moment each begin an epoch of their own',
  async ({ aSession, ...server }) => {
    const { aGuest, remove, get } = server
    const { id, pin, token } = await aSession()
    const guests = [await aGuest(pin), await aGuest(pin), await aGuest(pin)]

    const removals = await Promise.all(
      guests.map((guest) => remove(`/api/sessions/${id}/participants/${guest.id}`, { token })),
    )
    const again = await remove(`/api/sessions/${id}/participants/${guests[0]?.id}`, { token })

    const { earlier_key_shares, key_share } = (await get(`/api/sessions/${id}`, { token })).json().session
    expect(removals.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(again.statusCode).toBe(404)
    expect(new Set([...earlier_key_shares, key_share]).size).toBe(4)
    expect(earlier_key_shares).toHaveLength(3)
  },
)

onSessionServer('a removal leaves a session whose PIN is the whole key without a share', async (server) => {
  const { aSession, aGuest, remove, get } = server
  const { id, pin, token } = await aSession({ key_mode: 'pin' })
  const guest = await aGuest(pin)

  const removal = await remove(`/api/sessions/${id}/participants/${guest.id}`, { token })

  expect(removal.statusCode).toBe(200)
  const { session } = (await get(`/api/sessions/${id}`, { token })).json()
  expect(session).toMatchObject({ key_share: null, earlier_key_shares: [], approval: true })
})

onSessionServer('a session in which too many were removed says so, and removes nobody', async (server) => {
  const { aSession, aGuest, remove, get, db } = server
  const { id, pin, token } = await aSession()
  const guest = await aGuest(pin)
  await db
    .updateTable('session_key_shares')
    .set({ epoch: sessionLimits.removals })
    .where('session_id', '=', id)
    .execute()

  const removal = await remove(`/api/sessions/${id}/participants/${guest.id}`, { token })

  expect([removal.statusCode, removal.json().code]).toEqual([409, 'TOO_MANY_REMOVALS'])
  expect((await get(`/api/sessions/${id}`, { token: guest.token })).json().session.approval).toBe(false)
})

onSessionServer('shares of an older database are those of the first epoch', async ({ aSession, get, db }) => {
  const { id, token, session } = await aSession()
  const kept = await db.selectFrom('session_key_shares').select(['session_id', 'sealed_share']).execute()
  // The state before the migration.
  await db.schema.dropTable('session_key_shares').execute()
  await db.schema
    .createTable('session_key_shares')
    .addColumn('session_id', 'text', (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('sealed_share', 'text', (column) => column.notNull())
    .execute()
  await db
    .insertInto('session_key_shares')
    .values(kept as never)
    .execute()

  await sessionKeyEpochs.up(db)

  const now = (await get(`/api/sessions/${id}`, { token })).json().session
  expect(now).toMatchObject({ key_share: session.key_share, earlier_key_shares: [] })
})
