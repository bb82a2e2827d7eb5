import type { AuditRow } from '@sallyport/contract/admin-security'
import type { Database } from '../../../platform/db/schema.ts'

interface ListAuditOptions {
  readonly before: number | undefined
  readonly outcome: AuditRow['outcome'] | undefined
  readonly limit: number
}

/** SQL for the audit log as admins see it, with the addresses of the accounts that still exist. */
export const createAuditListStore = (db: Database) => ({
  /** Lists rows, the newest first. */
  async list({ before, outcome, limit }: ListAuditOptions): Promise<AuditRow[]> {
    const rows = await db
      .selectFrom('admin_audit')
      .leftJoin('users as actors', 'actors.id', 'admin_audit.actor_id')
      .leftJoin('users as subjects', 'subjects.id', 'admin_audit.subject_id')
      .select(['seq', 'at', 'actor_id', 'actor_kind', 'action', 'subject_id', 'outcome', 'details'])
      .select(['actors.id as known_actor', 'actors.email as actor_email'])
      .select(['subjects.id as known_subject', 'subjects.email as subject_email'])
      .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
    return rows.map((row) => ({
      seq: row.seq,
      at: row.at,
      actor: {
        kind: row.actor_kind === 'admin' ? 'admin' : 'command-line',
        id: row.actor_id,
        email: row.known_actor && (row.actor_email ?? ''),
      },
      action: row.action,
      subject:
        row.subject_id === null ? null : { id: row.subject_id, email: row.known_subject && (row.subject_email ?? '') },
      outcome: row.outcome as AuditRow['outcome'],
      details: JSON.parse(row.details),
    }))
  },
})

export type AuditListStore = ReturnType<typeof createAuditListStore>
