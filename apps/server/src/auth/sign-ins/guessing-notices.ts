import { guessingLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../../limits/attempts.ts'
import type { SecurityEvent } from '../../post/post.ts'
import { noticeAddress, type SecurityNotices } from '../../post/security-notices.ts'
import type { UsersStore } from '../users/users.store.ts'

interface GuessingNoticesDeps {
  readonly attempts: Attempts
  readonly notices: SecurityNotices
  readonly users: Pick<UsersStore, 'find'>
}

export interface GuessingNotices {
  /**
   * Counts a wrong guess at a secret of the account, or of a name without one. From the given number a day on the owner
   * gets a mail, at most one a day.
   */
  countFailure(event: SecurityEvent, account: string, failuresPerDay: number): Promise<void>
}

const { windowSeconds } = guessingLimits

/** Tells owners that their secrets are guessed at. */
export const createGuessingNotices = ({ attempts, notices, users }: GuessingNoticesDeps): GuessingNotices => ({
  async countFailure(event, account, failuresPerDay) {
    const earlier = await attempts.allow(`guessed|${event}|${account}`, { points: failuresPerDay - 1, windowSeconds })
    if (earlier.allowed) return
    const notice = await attempts.allow(`guess-notice|${event}|${account}`, { points: 1, windowSeconds })
    const user = notice.allowed ? await users.find(account) : null
    if (user) await notices.send(noticeAddress(user), event)
  },
})
