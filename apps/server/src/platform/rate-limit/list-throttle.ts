import { apiError } from '../../errors.ts'
import { createBytePace } from './byte-pace.ts'
import { createFairQueue } from './fair-queue.rules.ts'

interface ListThrottleLimits {
  /** For all lists of the process together. */
  readonly bytesPerSecond: number
  readonly concurrentReads: number
  /** Requests that may wait, of all callers together. */
  readonly waitingTotal: number
}

interface Waiter {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

/**
 * Throttles the lists of a process, so that reading and writing them leaves time for other work. Waiting callers are
 * served in rotation; when too many wait, requests of the caller with the most get 503.
 */
export function createListThrottle({ bytesPerSecond, concurrentReads, waitingTotal: length }: ListThrottleLimits) {
  const countBytes = createBytePace(bytesPerSecond)
  const queue = createFairQueue<Waiter>({ length, lengthPerOwner: length })
  let reading = 0
  let pause: NodeJS.Timeout | null = null

  function startNext(): void {
    while (pause === null && reading < concurrentReads) {
      const next = queue.shift()
      if (!next) return
      reading += 1
      next.start()
    }
  }

  function finish(bytes: number): void {
    reading -= 1
    const waitMs = countBytes(bytes)
    if (waitMs > 0) {
      if (pause) clearTimeout(pause)
      pause = setTimeout(() => {
        pause = null
        startNext()
      }, waitMs)
      pause.unref()
    }
    startNext()
  }

  return {
    /** Reads a list in its caller's turn; `bytesOf` estimates the size of the response. */
    async run<Result>(
      caller: string,
      read: () => Promise<Result>,
      bytesOf: (result: Result) => number,
    ): Promise<Result> {
      await new Promise<void>((start, reject) => {
        queue.push(caller, { start, reject })?.reject(apiError('UNAVAILABLE', { retryAfterSeconds: 5 }))
        startNext()
      })
      let bytes = 0
      try {
        const result = await read()
        bytes = bytesOf(result)
        return result
      } finally {
        finish(bytes)
      }
    },
  }
}
