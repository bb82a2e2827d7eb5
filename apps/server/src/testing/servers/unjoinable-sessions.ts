import type { SessionServer } from './session-server.ts'

const minute = 60_000

/** The PINs of sessions that cannot be joined: left, silent and locked. */
export async function createUnjoinableSessions({ createSession, post, put, db, now }: SessionServer) {
  const [over, silent, locked] = [await createSession(), await createSession(), await createSession()]
  await post(`/api/sessions/${over.id}/leave`, {}, { token: over.token })
  await db
    .updateTable('sessions')
    .set({ creator_seen_at: now() - 15 * minute })
    .where('id', '=', silent.id)
    .execute()
  await put(`/api/sessions/${locked.id}/settings`, { locked: true }, { token: locked.token })
  return { over: over.pin, silent: silent.pin, locked: locked.pin }
}
