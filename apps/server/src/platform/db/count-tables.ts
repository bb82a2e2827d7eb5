import type { Generated } from 'kysely'

/** What happened on one day. The counts of a day are the sums of its rows. */
interface DailyCountsRow {
  /** In UTC, such as 2026-11-28. */
  day: string
  /** Several rows for a day, so that transactions on PostgreSQL rarely wait for one another. */
  shard: number
  active_users: Generated<number>
  new_users: Generated<number>
  uploads: Generated<number>
  uploaded_bytes: Generated<number>
  downloads: Generated<number>
  downloaded_bytes: Generated<number>
  shares: Generated<number>
  sessions: Generated<number>
  portals: Generated<number>
}

/** Attempts of one network that failed on one day. */
interface FailedAttemptsRow {
  day: string
  /** Six hexadecimal digits of a keyed hash, `local` or `other`. */
  network: string
  failed_sign_ins: Generated<number>
  refused_sign_ins: Generated<number>
  wrong_codes: Generated<number>
  wrong_pins: Generated<number>
}

export interface CountTables {
  daily_counts: DailyCountsRow
  failed_attempts: FailedAttemptsRow
}
