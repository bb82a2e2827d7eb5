import type { Logger } from 'pino'

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
}

const failures: ReadonlySet<SecurityLogEvent> = new Set(['sign-in.failed', 'sign-in.locked', 'second-factor.failed'])

/** Logs security events, by default without IP addresses; email addresses and phone numbers are never logged. */
export const createSecurityLog = ({ log, hasAddresses }: SecurityLogOptions): SecurityLog => ({
  record(event, { userId, address }) {
    const fields = {
      event,
      ...(userId !== undefined && { userId }),
      ...(hasAddresses && address !== undefined && { address }),
    }
    if (failures.has(event)) log.warn(fields, 'security event')
    else log.info(fields, 'security event')
  },
})
