import { type FailedAttemptKind, failedAttemptKinds, securityLimits } from '@sallyport/contract/admin-security'
import { dayOf } from '@sallyport/contract/days'
import { sql } from 'kysely'
import { countedSince } from '../../../platform/db/daily-counts.ts'
import type { Database } from '../../../platform/db/schema.ts'

export type Failures = Readonly<Record<FailedAttemptKind, number>>

interface AdminActions {
  readonly bans: number
  readonly admin_actions: number
}

const dayMs = 24 * 3_600_000

/** SQL for failed attempts and actions of admins by day, and failed attempts by network. */
export function createSecurityStore(db: Database) {
  const failures = (since: string) =>
    db
      .selectFrom('failed_attempts')
      .select(({ fn }) => failedAttemptKinds.map((name) => fn.sum<number>(name).as(name)))
      .where('day', '>=', since)

  return {
    async listFailures(since: string): Promise<ReadonlyMap<string, Failures>> {
      const rows = await failures(since).select('day').groupBy('day').execute()
      return new Map(rows.map(({ day, ...counts }) => [day, toFailures(counts)]))
    },
    /** The networks with most failed attempts since this day, most first. */
    async listNetworks(since: string) {
      const total = sql<number>`sum(failed_sign_ins + refused_sign_ins + wrong_codes + wrong_pins)`
      const rows = await failures(since)
        .select(({ fn }) => ['network', fn.max('day').as('last_day')])
        .groupBy('network')
        .orderBy(total, 'desc')
        .orderBy('network')
        .limit(securityLimits.listedNetworks)
        .execute()
      return rows.map(({ network, last_day, ...counts }) => ({ network, ...toFailures(counts), last_day }))
    },
    /** What admins have done, or tried, on each day of this time. */
    async listAdminActions({
      since,
      until,
    }: {
      readonly since: number
      readonly until: number
    }): Promise<ReadonlyMap<string, AdminActions>> {
      const dayNumber = sql<number>`at / ${sql.lit(dayMs)}`
      const rows = await db
        .selectFrom('admin_audit')
        .select(({ fn }) => [
          dayNumber.as('day_number'),
          fn.countAll<number>().as('admin_actions'),
          sql<number>`sum(case when action = 'user.ban' and outcome = 'done' then 1 else 0 end)`.as('bans'),
        ])
        .where('at', '>=', since)
        // A manipulated row may have a time that is no date.
        .where('at', '<', until)
        .groupBy(dayNumber)
        .execute()
      return new Map(
        rows.map(({ day_number, admin_actions, bans }) => {
          const actions = { bans: Number(bans), admin_actions: Number(admin_actions) }
          return [dayOf(Number(day_number) * dayMs), actions]
        }),
      )
    },
    countedSince: () => countedSince(db),
  }
}

export type SecurityStore = ReturnType<typeof createSecurityStore>

const toFailures = (counts: Failures): Failures =>
  Object.fromEntries(failedAttemptKinds.map((kind) => [kind, Number(counts[kind])])) as Failures
