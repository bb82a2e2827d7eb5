import type { Selectable } from 'kysely'
import type { Database, Tables } from '../db/schema.ts'
import { type KeptFile, keptFileOf } from '../uploads/kept-file.store.ts'
import { type RemovedFile, removeFiles } from '../uploads/removals.store.ts'

export interface SessionFileRecord extends KeptFile {
  readonly sessionId: string
}

/** SQL for the files of sessions. A file is there until the millisecond it expires, and not in it. */
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

    /** Takes a file out of the list and gives its storage back; its bytes are still there. */
    async remove(sessionId: string, id: string): Promise<RemovedFile | null> {
      const [removed] = await removeFiles(db, (files) => files.where('session_id', '=', sessionId).where('id', '=', id))
      return removed ?? null
    },
  }
}

export type SessionFilesStore = ReturnType<typeof createSessionFilesStore>

const fileOf = (row: Selectable<Tables['files']>): SessionFileRecord => ({
  ...keptFileOf(row),
  sessionId: row.session_id ?? '',
})
