/** One administrative change, linked to the row before by its hash. Rows are never changed or deleted. */
interface AdminAuditRow {
  /** 1 for the first row, and one more for each that follows. */
  seq: number
  at: number
  /** The admin; null for the command line. Not a foreign key, so that it survives the deletion of the account. */
  actor_id: string | null
  /** `admin` or `command-line`. */
  actor_kind: string
  action: string
  /** The id of what was changed. */
  subject_id: string | null
  /** `done`, `refused` or `failed`. */
  outcome: string
  /** JSON: an object of numbers and fixed words. */
  details: string
  previous_hash: string
  hash: string
}

export interface AuditTables {
  admin_audit: AdminAuditRow
}
