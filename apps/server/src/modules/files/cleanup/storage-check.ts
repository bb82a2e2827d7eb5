import type { Logger } from 'pino'
import type { Job } from '../../../jobs.ts'
import type { StorageCheckStore } from './storage-check.store.ts'

interface StorageCheckDeps {
  readonly store: StorageCheckStore
  readonly log: Pick<Logger, 'error'>
}

const dayMs = 24 * 60 * 60_000

/**
 * Corrects booked storage that differs from the actual size of files and uploads, and logs it, because it indicates a
 * bug.
 */
export function createStorageCheck({ store, log }: StorageCheckDeps): Job {
  return {
    name: 'storage check',
    everyMs: dayMs,
    async run(signal) {
      for (const userId of await store.findSuspects()) {
        if (signal.aborted) return
        const drift = await store.correct(userId)
        if (drift) log.error({ drift }, 'corrected the booked storage of an account')
      }
    },
  }
}
