import type { FailedAttemptKind } from '@sallyport/contract/admin-security'
import type { Logger } from 'pino'
import type { FailedAttempts } from '../rate-limit/failed-attempts.ts'

/** What happened to accounts and who can use them, and failures that may be attacks. */
type SecurityLogEvent =
  | 'sign-in.failed'
  | 'sign-in.locked'
  | 'second-factor.failed'
  | 'second-factor.added'
  | 'second-factor.removed'
  | 'account.registered'
  | 'account.banned'
  | 'account.unbanned'
  | 'account.deleted'
  | 'password.changed'
  | 'admin.added'
  | 'admin.removed'

interface SecurityLogDetails {
  /** Null for an unknown account. */
  readonly userId?: string | null
  /** The IP address, or the /64 of an IPv6 address. */
  readonly address?: string | undefined
}

export interface SecurityLog {
  record(event: SecurityLogEvent, details: SecurityLogDetails): void
}

interface SecurityLogOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Whether the operator has chosen to log IP addresses. */
  readonly hasAddresses: boolean
  readonly failedAttempts: Pick<FailedAttempts, 'count' | 'networkOf'>
}

const failures: Partial<Readonly<Record<SecurityLogEvent, FailedAttemptKind>>> = {
  'sign-in.failed': 'failed_sign_ins',
  'sign-in.locked': 'refused_sign_ins',
  'second-factor.failed': 'wrong_codes',
}

/**
 * Logs security events and counts the failed attempts among them. By default without IP addresses; email addresses and
 * phone numbers are never logged.
 */
export const createSecurityLog = ({ log, hasAddresses, failedAttempts }: SecurityLogOptions): SecurityLog => ({
  record(event, { userId, address }) {
    const fields = {
      event,
      ...(userId !== undefined && { userId }),
      ...(hasAddresses && address !== undefined && { address, network: failedAttempts.networkOf(address) }),
    }
    const failure = failures[event]
    if (failure === undefined) return log.info(fields, 'security event')
    failedAttempts.count(failure, address)
    log.warn(fields, 'security event')
  },
})
