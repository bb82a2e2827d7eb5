import { performance } from 'node:perf_hooks'

/** What may pass at once after a pause. */
const burstMs = 250

/** Spreads bytes over time: counts some, and answers for how many milliseconds to take no more. */
export type BytePace = (bytes: number) => number

export function createBytePace(bytesPerSecond: number): BytePace {
  let freeAt = 0
  return (bytes) => {
    const time = performance.now()
    freeAt = Math.max(freeAt, time - burstMs) + (bytes / bytesPerSecond) * 1000
    return Math.max(0, freeAt - time)
  }
}

/** Holds one sender to a pace; several senders may share it. */
export function createPacedSender(pace: BytePace, onFree: () => void) {
  let waiting: NodeJS.Timeout | null = null

  function free(): void {
    waiting = null
    onFree()
  }

  return {
    count(bytes: number): void {
      const waitMs = pace(bytes)
      if (waitMs === 0) return
      if (waiting) clearTimeout(waiting)
      waiting = setTimeout(free, waitMs).unref()
    },
    /** While true, nothing more is to be taken. */
    isWaiting: (): boolean => waiting !== null,
  }
}
