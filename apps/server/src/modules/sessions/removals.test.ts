import { sessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { sessionKeyEpochs } from '../../platform/db/migrations/0019-session-key-epochs.ts'
import { onSessionServer } from '../../testing/servers/session-server.ts'

onSessionServer(
  'SES-11 a removal replaces the key share, and the remaining participants get the new one',
  async (server) => {
    const { createSession, joinAsGuest, openLiveSocket, remove, get } = server
    const { id, pin, token, session } = await createSession()
    const [staying, removed] = [await joinAsGuest(pin), await joinAsGuest(pin)]
    const { events } = await openLiveSocket(id, { token: staying.token })
    const removedSocket = await openLiveSocket(id, { token: removed.token })
    await expect.poll(() => [events[0]?.type, removedSocket.events[0]?.type]).toEqual(['ready', 'ready'])

    const removal = await remove(`/api/sessions/${id}/participants/${removed.id}`, { token })

    await expect.poll(() => events.map(({ type }) => type)).toContain('session.key')
    const current = (await get(`/api/sessions/${id}`, { token: staying.token })).json().session
    expect(removal.statusCode).toBe(200)
    expect(current.earlier_key_shares).toEqual([session.key_share])
    expect(Buffer.from(current.key_share, 'base64url')).toHaveLength(32)
    expect(current.key_share).not.toBe(session.key_share)
    expect(await removedSocket.closed).toBe(4001)
    const received = JSON.stringify([removedSocket.events, removed])
    expect(received).not.toContain(current.key_share)
    expect(received).not.toContain('session.key')
    expect((await get(`/api/sessions/${id}`, { token: removed.token })).statusCode).toBe(404)
    expect(events.map((event) => JSON.stringify(event)).join(), 'events carry no share').not.toContain(
      current.key_share,
    )
  },
)

onSessionServer(
  'SES-11 each of several concurrent removals starts its own key epoch',
  async ({ createSession, ...server }) => {
    const { joinAsGuest, remove, get } = server
    const { id, pin, token } = await createSession()
    const guests = [await joinAsGuest(pin), await joinAsGuest(pin), await joinAsGuest(pin)]

    const removals = await Promise.all(
      guests.map((guest) => remove(`/api/sessions/${id}/participants/${guest.id}`, { token })),
    )
    const repeated = await remove(`/api/sessions/${id}/participants/${guests[0]?.id}`, { token })

    const { earlier_key_shares, key_share } = (await get(`/api/sessions/${id}`, { token })).json().session
    expect(removals.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(repeated.statusCode).toBe(404)
    expect(new Set([...earlier_key_shares, key_share]).size).toBe(4)
    expect(earlier_key_shares).toHaveLength(3)
  },
)

onSessionServer('a removal in a session whose PIN is the whole key creates no share', async (server) => {
  const { createSession, joinAsGuest, remove, get } = server
  const { id, pin, token } = await createSession({ key_mode: 'pin' })
  const guest = await joinAsGuest(pin)

  const removal = await remove(`/api/sessions/${id}/participants/${guest.id}`, { token })

  expect(removal.statusCode).toBe(200)
  const { session } = (await get(`/api/sessions/${id}`, { token })).json()
  expect(session).toMatchObject({ key_share: null, earlier_key_shares: [], approval: true })
})

onSessionServer('a removal beyond the limit gets 409 and removes nobody', async (server) => {
  const { createSession, joinAsGuest, remove, get, db } = server
  const { id, pin, token } = await createSession()
  const guest = await joinAsGuest(pin)
  await db
    .updateTable('session_key_shares')
    .set({ epoch: sessionLimits.removals })
    .where('session_id', '=', id)
    .execute()

  const removal = await remove(`/api/sessions/${id}/participants/${guest.id}`, { token })

  expect([removal.statusCode, removal.json().code]).toEqual([409, 'TOO_MANY_REMOVALS'])
  expect((await get(`/api/sessions/${id}`, { token: guest.token })).json().session.approval).toBe(false)
})

onSessionServer('shares of an older database belong to the first epoch', async ({ createSession, get, db }) => {
  const { id, token, session } = await createSession()
  const shares = await db.selectFrom('session_key_shares').select(['session_id', 'sealed_share']).execute()
  // The schema before the migration.
  await db.schema.dropTable('session_key_shares').execute()
  await db.schema
    .createTable('session_key_shares')
    .addColumn('session_id', 'text', (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('sealed_share', 'text', (column) => column.notNull())
    .execute()
  await db
    .insertInto('session_key_shares')
    .values(shares as never)
    .execute()

  await sessionKeyEpochs.up(db)

  const current = (await get(`/api/sessions/${id}`, { token })).json().session
  expect(current).toMatchObject({ key_share: session.key_share, earlier_key_shares: [] })
})
