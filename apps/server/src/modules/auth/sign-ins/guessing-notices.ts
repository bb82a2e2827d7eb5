import { guessingLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import type { SecurityEvent } from '../../../platform/email/email-service.ts'
import { noticeAddress } from '../../../platform/email/security-notices.ts'
import type { UsersStore } from '../users/users.store.ts'

interface GuessingNoticesDeps extends Pick<ServerContext, 'rateLimiter' | 'notices'> {
  readonly users: Pick<UsersStore, 'find'>
}

export interface GuessingNotices {
  /**
   * Counts a wrong guess at a secret of an account or of an unknown identifier. From this number of failures a day, the
   * owner gets an email, at most one a day.
   */
  countFailure(event: SecurityEvent, account: string, failuresPerDay: number): Promise<void>
}

const { windowSeconds } = guessingLimits

/** Notifies owners of guesses at their secrets. */
export const createGuessingNotices = ({ rateLimiter, notices, users }: GuessingNoticesDeps): GuessingNotices => ({
  async countFailure(event, account, failuresPerDay) {
    const earlier = await rateLimiter.allow(`guessed|${event}|${account}`, {
      points: failuresPerDay - 1,
      windowSeconds,
    })
    if (earlier.allowed) return
    const notice = await rateLimiter.allow(`guess-notice|${event}|${account}`, { points: 1, windowSeconds })
    const user = notice.allowed ? await users.find(account) : null
    if (user) await notices.send(noticeAddress(user), event)
  },
})
