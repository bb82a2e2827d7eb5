import { refuse } from '../errors.ts'
import { createBytePace } from '../resources/byte-pace.ts'
import { createFairQueue } from '../resources/fair-queue.rules.ts'

interface ListPaceLimits {
  /** Of all lists of the process together. */
  readonly bytesPerSecond: number
  readonly readAtOnce: number
  /** Requests that may wait, of all callers together. */
  readonly waitingInAll: number
}

interface Waiter {
  readonly start: () => void
  readonly reject: (error: Error) => void
}

/**
 * Spreads the lists of a process over time, so that reading and writing them leaves time for everything else. Waiting
 * callers are served in rotation; where too many wait, those of the caller with the most get 503.
 */
export function createListPace({ bytesPerSecond, readAtOnce, waitingInAll: length }: ListPaceLimits) {
  const countBytes = createBytePace(bytesPerSecond)
  const queue = createFairQueue<Waiter>({ length, lengthPerOwner: length })
  let reading = 0
  let pause: NodeJS.Timeout | null = null

  function startNext(): void {
    while (pause === null && reading < readAtOnce) {
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
    /** Reads a list when it is the caller's turn; `bytesOf` says about how long the answer is. */
    async run<Result>(
      caller: string,
      read: () => Promise<Result>,
      bytesOf: (result: Result) => number,
    ): Promise<Result> {
      await new Promise<void>((start, reject) => {
        queue.push(caller, { start, reject })?.reject(refuse('UNAVAILABLE', { retryAfterSeconds: 5 }))
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
