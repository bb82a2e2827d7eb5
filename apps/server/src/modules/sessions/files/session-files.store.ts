import type { Selectable } from 'kysely'
import type { Database, Tables } from '../../../platform/db/schema.ts'
import { type RemovedFile, removeFiles } from '../../files/uploads/removals.store.ts'
import { type StoredFileRecord, toStoredFileRecord } from '../../files/uploads/stored-file.store.ts'

export interface SessionFileRecord extends StoredFileRecord {
  readonly sessionId: string
}

/** SQL for the files of sessions. A file expires at the millisecond of `expires_at`. */
export function createSessionFilesStore(db: Database) {
  const live = (now: number) =>
    db.selectFrom('files').selectAll().where('session_id', 'is not', null).where('expires_at', '>', now)

  return {
    /** Newest first. */
    async list(sessionId: string, now: number): Promise<SessionFileRecord[]> {
      const rows = await live(now)
        .where('session_id', '=', sessionId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(fileOf)
    },

    async find(id: string, now: number): Promise<SessionFileRecord | null> {
      const row = await live(now).where('id', '=', id).executeTakeFirst()
      return row ? fileOf(row) : null
    },

    /** Deletes the row of a file and releases its storage; the caller deletes its bytes. */
    async remove(sessionId: string, id: string): Promise<RemovedFile | null> {
      const [removed] = await removeFiles(db, (files) => files.where('session_id', '=', sessionId).where('id', '=', id))
      return removed ?? null
    },
  }
}

const fileOf = (row: Selectable<Tables['files']>): SessionFileRecord => ({
  ...toStoredFileRecord(row),
  sessionId: row.session_id ?? '',
})
