export interface Throughput {
  /** Takes the count of all bytes moved so far. */
  observe(movedBytes: number, now: number): void
  /** Begins anew with this count: what came before says nothing of the speed from here on. */
  startOver(movedBytes: number, now: number): void
  readonly bytesPerSecond: number
}

/** How far back the shown speed looks, so that a pause of a moment does not make it jump. */
const smoothingMs = 3000
const shortestStepMs = 100
/** Nobody looks so seldom: the machine slept, or its clock was moved. */
const longestStepMs = 30_000

/** A speed smoothed over the last few seconds. Bytes that are taken back (a chunk sent again) count as none moved. */
export function createThroughput(startedAt: number): Throughput {
  let observedAt = startedAt
  let observedBytes = 0
  let bytesPerSecond = 0
  let isFirst = true

  return {
    observe(movedBytes, now) {
      const elapsedMs = now - observedAt
      if (elapsedMs < 0 || elapsedMs > longestStepMs) {
        observedAt = now
        observedBytes = movedBytes
      }
      if (elapsedMs < shortestStepMs || elapsedMs > longestStepMs) return
      const current = (Math.max(0, movedBytes - observedBytes) * 1000) / elapsedMs
      const weight = isFirst ? 1 : 1 - Math.exp(-elapsedMs / smoothingMs)
      bytesPerSecond += weight * (current - bytesPerSecond)
      observedAt = now
      observedBytes = movedBytes
      isFirst = false
    },
    startOver(movedBytes, now) {
      observedAt = now
      observedBytes = movedBytes
      bytesPerSecond = 0
      isFirst = true
    },
    get bytesPerSecond() {
      return bytesPerSecond
    },
  }
}

/** Seconds until the rest has moved at this speed, or null while nothing moves. */
export function secondsLeft(remainingBytes: number, bytesPerSecond: number): number | null {
  if (remainingBytes <= 0) return 0
  return bytesPerSecond >= 1 ? remainingBytes / bytesPerSecond : null
}
