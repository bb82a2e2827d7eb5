import type { Logger } from 'pino'
import type { EmailService, SecurityEvent } from './email-service.ts'

interface SecurityNoticesDeps {
  readonly emailService: Pick<EmailService, 'queueEmail'>
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
}

export interface SecurityNotices {
  /** Queues an email about the event if there is an address. Never rejects, because the event has already happened. */
  send(to: string | null, event: SecurityEvent): Promise<void>
}

export const createSecurityNotices = ({ emailService, now, log }: SecurityNoticesDeps): SecurityNotices => ({
  async send(to, event) {
    if (to === null || to === '') return
    await emailService.queueEmail({ kind: event, to, at: now() }).catch((error: unknown) => {
      log.error({ err: error, event }, 'a security notice could not be queued')
    })
  },
})

interface MailAddress {
  readonly email: string | null
  readonly email_confirmed_at: number | null
}

/** The address that a notice may go to: only one that its owner has confirmed. */
export const noticeAddress = ({ email, email_confirmed_at }: MailAddress): string | null =>
  email_confirmed_at === null ? null : email
