import { activityLimits } from '@sallyport/contract/activity'
import { activityLogLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { Logger } from 'pino'
import type { RecordedActivity, ServerContext } from '../../../context.ts'
import type { Job } from '../../../jobs.ts'
import type { ActivityRecord, ActivityStore } from './activity.store.ts'

export interface ActivityLog {
  readonly record: ServerContext['recordActivity']
  readonly list: ServerContext['listActivity']
  /** Deletes entries after their lifetime. */
  readonly cleanupJob: Job
  /** Stores what is pending. Nothing is recorded afterwards. */
  close(): Promise<void>
}

interface ActivityLogDeps {
  readonly store: ActivityStore
  readonly now: () => number
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Records what happened in accounts. Entries are buffered for a second and stored in batches, and equal actions of an
 * account are merged: a folder of 10,000 files is one row. What exceeds the buffer is dropped.
 */
export function createActivityLog({ store, now, log }: ActivityLogDeps): ActivityLog {
  const pending = new Map<string, ActivityRecord[]>()
  let pendingCount = 0
  let droppedCount = 0
  let timer: NodeJS.Timeout | undefined
  let lastFlush = Promise.resolve()
  let isClosed = false

  function record(userId: string, activity: RecordedActivity): void {
    if (isClosed) return
    const { action } = activity
    const files = activity.files ?? null
    const bytes = activity.bytes ?? null
    const records = pending.get(userId) ?? []
    const index = files === null ? -1 : records.findIndex((one) => one.action === action)
    const existing = records[index]
    if (existing) {
      records[index] = { ...existing, files: sum(existing.files, files), bytes: sum(existing.bytes, bytes) }
      return
    }
    if (records.length >= activityLogLimits.pendingPerAccount || pendingCount >= activityLogLimits.pending) {
      droppedCount += 1
      return
    }
    records.push({ userId, action, at: now(), files, bytes })
    pending.set(userId, records)
    pendingCount += 1
    timer ??= setTimeout(() => void flush(), activityLogLimits.flushMs).unref()
  }

  /** Stores everything recorded before this call, after earlier flushes; never rejects. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(storePending)
    return lastFlush
  }

  async function storePending(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const records = [...pending.values()].flat()
    if (droppedCount > 0) log.warn({ entries: droppedCount }, 'too much activity at once; entries were dropped')
    pending.clear()
    pendingCount = 0
    droppedCount = 0
    for (let first = 0; first < records.length; first += activityLogLimits.batch) {
      const batch = records.slice(first, first + activityLogLimits.batch)
      await store.insert(batch).catch((error: unknown) => {
        log.error({ err: error, entries: batch.length }, 'activity could not be stored')
      })
    }
  }

  return {
    record,

    async list(userId, limit) {
      await (pending.has(userId) ? flush() : lastFlush)
      return store.list(userId, { since: now() - activityLimits.retentionMs, limit })
    },

    cleanupJob: {
      name: 'old activity',
      needsRightTime: true,
      everyMs: sweepLimits.everyMs,
      async run(signal) {
        const before = now() - activityLimits.retentionMs
        let removed: number = sweepLimits.batch
        while (removed === sweepLimits.batch && !signal.aborted)
          removed = await store.removeExpired(before, sweepLimits.batch)
      },
    },

    async close() {
      isClosed = true
      await flush()
    },
  }
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other
