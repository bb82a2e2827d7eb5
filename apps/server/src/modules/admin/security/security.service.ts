import { securityLimits } from '@sallyport/contract/admin-security'
import { lastDays } from '@sallyport/contract/days'
import { day } from '@sallyport/contract/units'
import type { ServerContext } from '../../../context.ts'
import type { AuditCheck } from '../audit/audit-check.ts'
import type { AuditListStore } from './audit-list.store.ts'
import type { Failures, SecurityStore } from './security.store.ts'

interface SecurityDeps extends Pick<ServerContext, 'failedAttempts' | 'now' | 'onError'> {
  readonly store: SecurityStore
  readonly auditList: AuditListStore
  readonly auditCheck: Pick<AuditCheck, 'latest'>
}

interface AuditPageOptions {
  readonly before?: number | undefined
  readonly outcome?: 'done' | 'refused' | 'failed' | undefined
}

const noFailures: Failures = { failed_sign_ins: 0, refused_sign_ins: 0, wrong_codes: 0, wrong_pins: 0 }
const noActions = { bans: 0, admin_actions: 0 }

/** Failed attempts and actions of admins by day, failed attempts by network, and the audit log. */
export function createSecurity({ store, auditList, auditCheck, failedAttempts, now, onError }: SecurityDeps) {
  return {
    /** The last days. Attempts at other nodes are counted a second later. */
    async show(dayCount: number) {
      await failedAttempts.flush()
      const time = now()
      const days = lastDays(dayCount, time)
      const [oldest = ''] = days
      const [failures, actions, networks, since] = await Promise.all([
        store.listFailures(oldest),
        store.listAdminActions({ since: Date.parse(oldest), until: time + day }),
        store.listNetworks(oldest),
        store.countedSince(),
      ])
      return {
        days: days.map((one) => ({
          day: one,
          ...(failures.get(one) ?? noFailures),
          ...(actions.get(one) ?? noActions),
        })),
        networks,
        counted_since: since,
      }
    },

    /** A page of the audit log, the newest rows first, with the last verification of the whole log. */
    async listAudit({ before, outcome }: AuditPageOptions) {
      const limit = securityLimits.auditRowsPerPage
      const [rows, verified] = await Promise.all([
        auditList.list({ before, outcome, limit: limit + 1 }),
        auditCheck.latest().catch((error: Error) => {
          onError(error)
          return null
        }),
      ])
      const page = rows.slice(0, limit)
      return { rows: page, next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null, verified }
    },
  }
}

export type Security = ReturnType<typeof createSecurity>
