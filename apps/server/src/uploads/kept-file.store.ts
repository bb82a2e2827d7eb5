import type { Selectable } from 'kysely'
import type { Tables } from '../db/schema.ts'

/** What is known of every file, whether of an account or of a session. Times are epoch milliseconds. */
export interface KeptFile {
  readonly id: string
  readonly sealedName: string
  readonly wrappedKey: string
  readonly plainBytes: number
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed bytes of every object but the last. */
  readonly objectBytes: number
  readonly volume: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** A row of the table of files, in the words of the server. */
export const keptFileOf = (row: Selectable<Tables['files']>): KeptFile => ({
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
