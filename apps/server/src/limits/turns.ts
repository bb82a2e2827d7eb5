import { turnLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import { createFairQueue, type FairQueue } from '../resources/fair-queue.rules.ts'

/** Runs steps under the same key one after the other. */
export interface Turns {
  /**
   * Runs the step once it is first under its key. Of those that wait, the owners are served in rotation; where too many
   * wait, those of the owner with the most are refused with 503. Without an owner, all under the key are one.
   */
  take<Result>(key: string, step: () => Promise<Result>, owner?: string): Promise<Result>
}

interface Waiter {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

/** The refusal of steps that would have to wait for too many others. */
export const tooManyWait = (cause?: Error) =>
  refuse('UNAVAILABLE', { retryAfterSeconds: turnLimits.retryAfterSeconds, ...(cause && { cause }) })

/** Turns in one process. */
export function createLocalTurns(): Turns {
  /** A queue is there while a step under its key runs. */
  const queues = new Map<string, FairQueue<Waiter>>()

  async function enter(key: string, owner: string): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      const { waiting: length, waitingPerOwner: lengthPerOwner } = turnLimits
      queues.set(key, createFairQueue({ length, lengthPerOwner }))
      return
    }
    await new Promise<void>((start, reject) => queue.push(owner, { start, reject })?.reject(tooManyWait()))
  }

  function leave(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next.start()
    else queues.delete(key)
  }

  return {
    async take(key, step, owner = key) {
      await enter(key, owner)
      try {
        return await step()
      } finally {
        leave(key)
      }
    },
  }
}
