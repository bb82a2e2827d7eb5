import { chatLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { type Job, nothing } from '../../jobs.ts'
import type { MessagesStore } from './messages.store.ts'

interface MessageSweeperDeps extends Pick<ServerContext, 'publishToAccount' | 'now'> {
  readonly store: Pick<MessagesStore, 'removeExpired'>
}

/** Deletes messages within seconds of their expiry. */
export function createMessageSweeper({ store, publishToAccount, now }: MessageSweeperDeps): Job {
  return {
    name: 'message sweeper',
    erases: 'expired',
    everyMs: chatLimits.sweepEveryMs,
    async run(signal) {
      const time = now()
      let entries = 0
      for (let hasMore = true; hasMore && !signal.aborted; ) {
        const removed = await store.removeExpired(time, sweepLimits.batch)
        for (const { id, ownerId } of removed) publishToAccount(ownerId, { type: 'message.deleted', id })
        entries += removed.length
        hasMore = removed.length === sweepLimits.batch
      }
      return { ...nothing, entries }
    },
  }
}
