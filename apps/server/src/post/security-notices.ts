import type { Logger } from 'pino'
import type { Post, SecurityEvent } from './post.ts'

interface SecurityNoticesDeps {
  readonly post: Pick<Post, 'mail'>
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
}

export interface SecurityNotices {
  /** Queues a mail about the event; without an address nothing is sent. Never rejects: the event has already happened. */
  send(to: string | null, event: SecurityEvent): Promise<void>
}

export const createSecurityNotices = ({ post, now, log }: SecurityNoticesDeps): SecurityNotices => ({
  async send(to, event) {
    if (to === null || to === '') return
    await post.mail({ kind: event, to, at: now() }).catch((error: unknown) => {
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
