import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { startAccounts } from './account-server.ts'
import type { Stage } from './databases.ts'

export const ifNone = { 'if-none-match': '*' }

/** A wrapped account key as a browser sends one; nobody can open it. */
export const aWrappedKey = (change: { keyVersion?: number; profile?: number } = {}) => ({
  keyVersion: 1,
  profile: 2,
  wrappedKey: randomBytes(60).toString('base64url'),
  ...change,
})

/** A server with a member who has made their first key. */
export async function startKeys(stage: Stage, signIn: { policy?: 'short' | 'remember' } = {}) {
  const server = await startAccounts(stage)
  const member = await server.aMember(signIn)
  const first = aWrappedKey()
  await server.put('/api/account/keys', first, { ...member.bearer, ...ifNone })

  /** The row of a file, without bytes. */
  async function aFile({ ownerId = member.userId, expiresAt = stage.now() + 60_000 } = {}): Promise<string> {
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
  return { server, first, mine: { ...member, server, aFile } }
}

export type Member = Awaited<ReturnType<typeof startKeys>>['mine']
