import { mutexLimits } from '@sallyport/contract/server-limits'
import { apiError } from '../../errors.ts'
import { createFairQueue, type FairQueue } from './fair-queue.rules.ts'

/** Runs steps with the same key one after the other. */
export interface KeyedMutex {
  /**
   * Runs the step once it is first under its key. The owners of waiting steps are served in rotation; when too many
   * wait, steps of the owner with the most get 503. Without an owner, all steps under the key count as one owner's.
   */
  runExclusive<Result>(key: string, step: () => Promise<Result>, owner?: string): Promise<Result>
}

interface Waiter {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

/** The error for steps that would have to wait for too many others. */
export const mutexBusyError = (cause?: Error) =>
  apiError('UNAVAILABLE', { retryAfterSeconds: mutexLimits.retryAfterSeconds, ...(cause && { cause }) })

/** A mutex in one process. */
export function createLocalMutex(): KeyedMutex {
  /** An entry exists while a step with its key runs. */
  const queues = new Map<string, FairQueue<Waiter>>()

  async function acquire(key: string, owner: string): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      const { waiting: length, waitingPerOwner: lengthPerOwner } = mutexLimits
      queues.set(key, createFairQueue({ length, lengthPerOwner }))
      return
    }
    await new Promise<void>((start, reject) => queue.push(owner, { start, reject })?.reject(mutexBusyError()))
  }

  function release(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next.start()
    else queues.delete(key)
  }

  return {
    async runExclusive(key, step, owner = key) {
      await acquire(key, owner)
      try {
        return await step()
      } finally {
        release(key)
      }
    },
  }
}
