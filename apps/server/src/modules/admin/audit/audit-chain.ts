import { createHmac } from 'node:crypto'
import type { AuditHead, AuditRow } from './audit.store.ts'

export type AuditProblem =
  /** The log does not begin with row 1. */
  | 'start-missing'
  /** Rows before this one are missing. */
  | 'rows-missing'
  /** The row was changed, or was not written with the key of this log. */
  | 'row-changed'
  /** The row belongs to another log with the same key. */
  | 'row-unlinked'
  /** The log ends before this row. */
  | 'end-missing'
  /** The log has another row here. */
  | 'other-row'

/** The head of an empty log. Its hash is 32 zero bytes. */
export const emptyHead: AuditHead = { seq: 0, hash: Buffer.alloc(32).toString('base64url') }

/** HMAC-SHA-256 of all columns. A JSON array keeps them apart and distinguishes null from text. */
export function hashAuditRow(key: Buffer, row: Omit<AuditRow, 'hash'>): string {
  const columns = [
    'sallyport audit row',
    row.seq,
    row.at,
    row.actor_id,
    row.actor_kind,
    row.action,
    row.subject_id,
    row.outcome,
    row.details,
    row.previous_hash,
  ]
  return createHmac('sha256', key).update(JSON.stringify(columns)).digest('base64url')
}

/** Returns why the row does not follow the head of the rows before it; null if it does. */
export function findAuditProblem(key: Buffer, head: AuditHead, row: AuditRow): AuditProblem | null {
  if (row.seq !== head.seq + 1) return head.seq === emptyHead.seq ? 'start-missing' : 'rows-missing'
  if (row.hash !== hashAuditRow(key, row)) return 'row-changed'
  return row.previous_hash === head.hash ? null : 'row-unlinked'
}
