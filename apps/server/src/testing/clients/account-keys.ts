import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Stage } from '../engines/databases.ts'
import { startAccountServer } from '../servers/account-server.ts'

export const ifNoneMatch = { 'if-none-match': '*' }

/** A random wrapped account key in the format that browsers send. It cannot be unwrapped. */
export const randomWrappedKey = (change: { keyVersion?: number; profile?: number } = {}) => ({
  keyVersion: 1,
  profile: 2,
  wrappedKey: randomBytes(60).toString('base64url'),
  ...change,
})

/** Starts a server with a member who has created their first key. */
export async function startServerWithKeys(stage: Stage, signIn: { policy?: 'short' | 'remember' } = {}) {
  const server = await startAccountServer(stage)
  const member = await server.createMember(signIn)
  const first = randomWrappedKey()
  await server.put('/api/account/keys', first, { ...member.bearer, ...ifNoneMatch })

  /** Inserts the row of a file without its bytes. */
  async function insertFile({ ownerId = member.userId, expiresAt = stage.now() + 60_000 } = {}): Promise<string> {
    const id = randomUUIDv7()
    const names = { id, owner_id: ownerId, sealed_name: 'ef1.', wrapped_key: '', volume: 'main' }
    const sizes = { plain_bytes: 1, sealed_bytes: 29, record_bytes: 524_288, object_bytes: 29, object_count: 1 }
    const times = { downloads: 0, created_at: stage.now(), expires_at: expiresAt }
    await stage.db
      .insertInto('files')
      .values({ ...names, ...sizes, ...times })
      .execute()
    return id
  }
  return { server, first, mine: { ...member, server, insertFile } }
}

export type Member = Awaited<ReturnType<typeof startServerWithKeys>>['mine']
