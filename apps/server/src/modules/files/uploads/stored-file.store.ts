import type { Selectable } from 'kysely'
import type { Tables } from '../../../platform/db/schema.ts'

/** Metadata of a stored file of an account or a session. Times are epoch milliseconds. */
export interface StoredFileRecord {
  readonly id: string
  readonly sealedName: string
  readonly wrappedKey: string
  readonly plainBytes: number
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed size of every object but the last. */
  readonly objectBytes: number
  readonly volume: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Converts a row of the table `files`. */
export const toStoredFileRecord = (row: Selectable<Tables['files']>): StoredFileRecord => ({
  id: row.id,
  sealedName: row.sealed_name,
  wrappedKey: row.wrapped_key,
  plainBytes: row.plain_bytes,
  sealedBytes: row.sealed_bytes,
  recordBytes: row.record_bytes,
  objectBytes: row.object_bytes,
  volume: row.volume,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
