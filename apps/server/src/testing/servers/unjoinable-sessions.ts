import type { SessionServer } from './session-server.ts'

const minute = 60_000

/** The PINs of sessions that cannot be joined: left, silent, locked and full. */
export async function createUnjoinableSessions({ createSession, join, post, put, db, now }: SessionServer) {
  const [over, silent, locked, full] = [
    await createSession(),
    await createSession(),
    await createSession(),
    await createSession(),
  ]
  await post(`/api/sessions/${over.id}/leave`, {}, { token: over.token })
  await db
    .updateTable('sessions')
    .set({ creator_seen_at: now() - 15 * minute })
    .where('id', '=', silent.id)
    .execute()
  await put(`/api/sessions/${locked.id}/settings`, { locked: true }, { token: locked.token })
  for (let index = 1; index < 50; index += 1) await join({ session_pin: full.pin }, { address: `192.0.2.${index}` })
  return { over: over.pin, silent: silent.pin, locked: locked.pin, full: full.pin }
}
