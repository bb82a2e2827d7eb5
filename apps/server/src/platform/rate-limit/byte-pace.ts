import { performance } from 'node:perf_hooks'

/** Maximum burst after an idle period, in milliseconds of traffic. */
const burstMs = 250

/** Paces a byte stream: counts bytes and returns for how many milliseconds to pause. */
export type BytePace = (bytes: number) => number

export function createBytePace(bytesPerSecond: number): BytePace {
  let freeAt = 0
  return (bytes) => {
    const time = performance.now()
    freeAt = Math.max(freeAt, time - burstMs) + (bytes / bytesPerSecond) * 1000
    return Math.max(0, freeAt - time)
  }
}

/** Paces one sender; several senders can share a pace. */
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
    /** While true, the sender must pause. */
    isWaiting: (): boolean => waiting !== null,
  }
}
