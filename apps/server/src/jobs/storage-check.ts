import type { Logger } from 'pino'
import type { Job } from './scheduler.ts'
import type { StorageCheckStore } from './storage-check.store.ts'

interface Parts {
  readonly store: StorageCheckStore
  readonly log: Pick<Logger, 'error'>
}

const dayMs = 24 * 60 * 60_000

/** Corrects what is booked as storage when it is not what files and uploads take, and reports it: there is a fault behind. */
export function createStorageCheck({ store, log }: Parts): Job {
  return {
    name: 'storage check',
    everyMs: dayMs,
    async run(signal) {
      for (const userId of await store.findSuspects()) {
        if (signal.aborted) return
        const drift = await store.correct(userId)
        if (drift) log.error({ drift }, 'the storage of an account was booked wrongly and has been corrected')
      }
    },
  }
}
