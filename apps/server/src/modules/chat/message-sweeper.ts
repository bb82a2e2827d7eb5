import { chatLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import { type ClockJumpDeps, type Job, skipAfterClockJump } from '../../jobs.ts'
import type { PublishToAccount } from '../../platform/events/publish.ts'
import type { MessagesStore } from './messages.store.ts'

interface MessageSweeperDeps extends ClockJumpDeps {
  readonly store: Pick<MessagesStore, 'removeExpired'>
  readonly publishToAccount: PublishToAccount
}

/** Deletes messages within seconds of their expiry. After a clock change of more than an hour it skips one sweep. */
export function createMessageSweeper(deps: MessageSweeperDeps): Job {
  const { store, publishToAccount, now } = deps
  const sweeper: Job = {
    name: 'message sweeper',
    everyMs: chatLimits.sweepEveryMs,
    async run(signal) {
      for (let hasMore = true; hasMore && !signal.aborted; ) {
        const removed = await store.removeExpired(now(), sweepLimits.batch)
        for (const { id, ownerId } of removed) publishToAccount(ownerId, { type: 'message.deleted', id })
        hasMore = removed.length === sweepLimits.batch
      }
    },
  }
  return skipAfterClockJump(sweeper, deps)
}
