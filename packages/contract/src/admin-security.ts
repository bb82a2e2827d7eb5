import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, DecimalText, EpochMs, Succeeded } from './fields.ts'

/** The periods that the figures of security can show, in days up to today. */
export const SecurityPeriod = z.enum(['7', '30', '90'])
export type SecurityPeriod = z.output<typeof SecurityPeriod>

export const securityLimits = { listedNetworks: 20, auditRowsPerPage: 50 } as const

/** Attempts that fail, as they are counted by day and network. */
export const failedAttemptKinds = ['failed_sign_ins', 'refused_sign_ins', 'wrong_codes', 'wrong_pins'] as const
export type FailedAttemptKind = (typeof failedAttemptKinds)[number]

const failures = {
  /** Wrong passwords. */
  failed_sign_ins: z.int(),
  /** Not compared, after too many wrong passwords. */
  refused_sign_ins: z.int(),
  /** Of second factors. */
  wrong_codes: z.int(),
  /** Of sessions, and codes of portals. */
  wrong_pins: z.int(),
} satisfies Record<FailedAttemptKind, unknown>

const AuditRow = z.object({
  seq: z.int(),
  at: EpochMs,
  /** `email` is null for a deleted account and empty for one without; all but `kind` is null for the command line. */
  actor: z.object({
    kind: z.enum(['admin', 'command-line']),
    id: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  /** Such as `user.promote`. */
  action: z.string(),
  /** What was changed: the id of a user, an offer or a share, and the address if it is a user that exists. */
  subject: z.nullable(z.object({ id: z.string(), email: z.nullable(z.string()) })),
  outcome: z.enum(['done', 'refused', 'failed']),
  /** Ids, fixed words and numbers. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type AuditRow = z.output<typeof AuditRow>

/** Signs of attacks, and what admins have done. */
export const adminSecurity = {
  security: endpoint({
    method: 'GET',
    path: '/api/admin/security',
    summary: 'Count failed attempts and actions of admins for each day of a period, and failed attempts by network',
    access: 'admin',
    /** 30 without it. */
    query: z.object({ days: z.optional(SecurityPeriod) }),
    reply: z.object({
      success: Succeeded,
      /** Each day of the period, the oldest first; the last one is today. */
      days: z.array(z.object({ day: Day, ...failures, bans: z.int(), admin_actions: z.int() })).check(z.maxLength(90)),
      /**
       * The networks with most failures in the period. A network is a pseudonym of an IPv4 /24 or an IPv6 /48: six
       * hexadecimal digits, `local` for addresses of this machine and its local network, `other` for those beyond the
       * number that is counted separately.
       */
      networks: z
        .array(z.object({ network: z.string(), ...failures, last_day: Day }))
        .check(z.maxLength(securityLimits.listedNetworks)),
      /** The day on which the server began to count failed attempts. */
      counted_since: Day,
    }),
    errors: ['RATE_LIMITED'],
  }),
  audit: endpoint({
    method: 'GET',
    path: '/api/admin/audit',
    summary: 'List the actions of admins, the newest first',
    access: 'admin',
    /** Rows before this position; those of this outcome only. */
    query: z.object({ before: z.optional(DecimalText), outcome: z.optional(z.enum(['done', 'refused', 'failed'])) }),
    reply: z.object({
      success: Succeeded,
      rows: z.array(AuditRow).check(z.maxLength(securityLimits.auditRowsPerPage)),
      /** Requests the following page as `before`; null on the last one. */
      next: z.nullable(z.int()),
      /** The last verification of the whole log by this node: null before the first one. */
      verified: z.nullable(
        z.object({
          at: EpochMs,
          /** The position of the first row that is not as it was written; null if there is none. */
          broken_at: z.nullable(z.int()),
        }),
      ),
    }),
    errors: ['RATE_LIMITED'],
  }),
}
