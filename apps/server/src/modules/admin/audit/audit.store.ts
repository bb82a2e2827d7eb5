import { sql } from 'kysely'
import { apiError } from '../../../errors.ts'
import { isSqlite } from '../../../platform/db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'

export type AuditRow = Tables['admin_audit']
export type AuditTransaction = DatabaseTransaction

/** Position and hash of the last row of a log. */
export type AuditHead = Pick<AuditRow, 'seq' | 'hash'>

const postgresLockTimeout = '55P03'

/** SQL for the audit log. */
export function createAuditStore(db: Database) {
  const lastRow = (connection: Database | AuditTransaction): Promise<AuditHead | undefined> =>
    connection.selectFrom('admin_audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()

  return {
    /**
     * Runs a transaction that rejects with UNAVAILABLE if it waits too long for another one. On SQLite it is the only
     * writer from its start.
     */
    async transaction<Result>(work: (transaction: AuditTransaction) => Promise<Result>): Promise<Result> {
      try {
        return await db.transaction().execute(async (transaction) => {
          if (!isSqlite(transaction)) await sql`set local lock_timeout = '5s'`.execute(transaction)
          return work(transaction)
        })
      } catch (error) {
        throw isLockTimeout(error) ? apiError('UNAVAILABLE', { cause: error }) : error
      }
    },
    /**
     * Appends the row that follows the last one. Must be the last statement of its transaction: nothing that holds the
     * lock of the table waits for another lock, so there is no deadlock.
     */
    async append(transaction: AuditTransaction, next: (previous: AuditHead | undefined) => AuditRow): Promise<void> {
      if (!isSqlite(transaction)) await sql`lock table admin_audit in share row exclusive mode`.execute(transaction)
      await transaction
        .insertInto('admin_audit')
        .values(next(await lastRow(transaction)))
        .execute()
    },
    head: () => lastRow(db),
    /** Lists rows in the order of their position, after this one or from the first. */
    async list(after: number | null, limit: number): Promise<AuditRow[]> {
      const rows = db
        .selectFrom('admin_audit')
        .select(['actor_id', 'actor_kind', 'action', 'subject_id', 'outcome', 'details', 'previous_hash', 'hash'])
        // As text, because the SQLite driver rejects integers above 2 ** 53, which only a manipulated row has.
        .select([sql<string>`cast(seq as text)`.as('seq_text'), sql<string>`cast(at as text)`.as('at_text')])
        .orderBy('seq')
        .limit(limit)
      const found = await (after === null ? rows : rows.where('seq', '>', after)).execute()
      return found.map(({ seq_text, at_text, ...row }) => ({ ...row, seq: Number(seq_text), at: Number(at_text) }))
    },
  }
}

export type AuditStore = ReturnType<typeof createAuditStore>

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === postgresLockTimeout
