import type { AuditRow } from '@sallyport/contract/admin-security'
import { ignore } from '@sallyport/contract/ignore'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/schema.ts'

interface ListAuditOptions {
  readonly before: number | undefined
  readonly outcome: AuditRow['outcome'] | undefined
  readonly limit: number
}

/** The latest time that is a date. */
const latestDateMs = 8.64e15

/** SQL for the audit log as admins see it, with the addresses of the accounts that still exist. A manipulated row does not hide
 * the others. */
export const createAuditListStore = (db: Database) => ({
  /** Lists rows, the newest first. */
  async list({ before, outcome, limit }: ListAuditOptions): Promise<AuditRow[]> {
    const rows = await db
      .selectFrom('admin_audit')
      .leftJoin('users as actors', 'actors.id', 'admin_audit.actor_id')
      .leftJoin('users as subjects', 'subjects.id', 'admin_audit.subject_id')
      .select(['actor_id', 'actor_kind', 'action', 'subject_id', 'outcome', 'details'])
      // As text, because the SQLite driver rejects integers above 2 ** 53, which only a manipulated row has.
      .select([sql<string>`cast(seq as text)`.as('seq_text'), sql<string>`cast(at as text)`.as('at_text')])
      .select(['actors.id as known_actor', 'actors.email as actor_email'])
      .select(['subjects.id as known_subject', 'subjects.email as subject_email'])
      .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
    return rows.map((row) => ({
      seq: clamp(Number(row.seq_text), Number.MAX_SAFE_INTEGER),
      at: clamp(Number(row.at_text), latestDateMs),
      actor: {
        kind: row.actor_kind === 'admin' ? 'admin' : 'command-line',
        id: row.actor_id,
        email: row.known_actor && (row.actor_email ?? ''),
      },
      action: row.action,
      subject:
        row.subject_id === null ? null : { id: row.subject_id, email: row.known_subject && (row.subject_email ?? '') },
      outcome: isOutcome(row.outcome) ? row.outcome : 'failed',
      details: parseDetails(row.details),
    }))
  },
})

export type AuditListStore = ReturnType<typeof createAuditListStore>

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))

const isOutcome = (text: string): text is AuditRow['outcome'] => ['done', 'refused', 'failed'].includes(text)

/** Returns the details that are texts and numbers, as those that the server has written are. */
function parseDetails(text: string): AuditRow['details'] {
  const entries = Object.entries(parseObject(text))
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' || typeof value === 'number'))
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch (error) {
    ignore(error, 'the verification finds the row')
    return {}
  }
}
