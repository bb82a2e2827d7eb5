import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './platform/db/schema.ts'

/** Secrets that never change. Without them, what the database holds cannot be used, decrypted or verified. */
const names = ['salt', 'share', 'pin', 'session', 'provider', 'post', 'audit'] as const

/** Secrets that every database with accounts was used with, also before it had fingerprints. */
const oldestNames = ['salt', 'share', 'provider', 'post'] as const

/**
 * Throws if a secret that the database was used with is missing, before another one is created in its place. A database
 * without accounts may be new.
 */
export async function requireSecretFiles(db: Database, secretsFolder: string): Promise<void> {
  const stored = await db.selectFrom('secret_fingerprints').select('name').orderBy('name').execute()
  const hasUsers = (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
  if (!hasUsers) return
  const expected = new Set([...stored.map(({ name }) => name), ...oldestNames])
  const missing = [...expected].map((name) => `${name}.key`).filter((file) => !existsSync(join(secretsFolder, file)))
  if (missing.length === 0) return
  throw new Error(
    `The database has accounts, but ${missing.join(', ')} is missing in ${secretsFolder}. ` +
      'Restore the secrets folder from the same backup as the database; with several nodes, give each the same files.',
  )
}

/**
 * Throws if the database was used with other secrets than these. Their first use stores a fingerprint of each, from which
 * the secret cannot be derived; of several processes that do so at the same moment, the first one wins.
 */
export async function requireSameSecrets(
  db: Database,
  secretsFolder: string,
  used: readonly (typeof names)[number][] = names,
): Promise<void> {
  const fingerprints = used.map((name) => ({
    name,
    fingerprint: fingerprintOf(readFileSync(join(secretsFolder, `${name}.key`))),
  }))
  async function requireSame(): Promise<void> {
    const stored = await db.selectFrom('secret_fingerprints').selectAll().execute()
    const different = fingerprints.filter(({ name, fingerprint }) =>
      stored.some((known) => known.name === name && known.fingerprint !== fingerprint),
    )
    if (different.length === 0) return
    const files = different.map(({ name }) => `${name}.key`).join(', ')
    throw new Error(
      `The database belongs to other secrets: ${files} in ${secretsFolder} is not the file it was used with. ` +
        'Restore the secrets folder from the same backup as the database; with several nodes, give each the same files.',
    )
  }
  await requireSame()
  await db
    .insertInto('secret_fingerprints')
    .values(fingerprints)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await requireSame()
}

const fingerprintOf = (secret: Buffer): string =>
  createHmac('sha256', secret).update('sallyport secret fingerprint').digest('base64url')
