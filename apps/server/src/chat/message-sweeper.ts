import { chatLimits } from '@sallyport/contract/limits'
import { sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import { watchClock } from '../jobs/clock-watch.ts'
import type { Job } from '../jobs/scheduler.ts'
import type { Announce } from '../live/announce.ts'
import type { MessagesStore } from './messages.store.ts'

interface Parts {
  readonly store: Pick<MessagesStore, 'removeExpired'>
  readonly announce: Announce
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
  readonly monotonic?: () => number
}

/** Removes messages within seconds of their end. When the clock was set by more than an hour, it lets one round pass. */
export function createMessageSweeper(parts: Parts): Job {
  const { store, announce, now, log, monotonic = () => performance.now() } = parts
  const clockJump = watchClock({ now, monotonic })

  return {
    name: 'message sweeper',
    everyMs: chatLimits.sweepEveryMs,
    async run(signal) {
      const jumpMs = clockJump()
      if (jumpMs !== 0) return log.error({ jumpMs }, 'the clock was set; no message is removed in this round')
      for (let isFull = true; isFull && !signal.aborted; ) {
        const removed = await store.removeExpired(now(), sweepLimits.batch)
        for (const { id, ownerId } of removed) announce(ownerId, { type: 'message.deleted', id })
        isFull = removed.length === sweepLimits.batch
      }
    },
  }
}
