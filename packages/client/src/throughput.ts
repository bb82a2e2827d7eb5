export interface Throughput {
  /** Records the total count of bytes moved so far. */
  observe(movedBytes: number, now: number): void
  /** Restarts the measurement from this count and discards the earlier speed. */
  reset(movedBytes: number, now: number): void
  readonly bytesPerSecond: number
}

/** Time constant of the smoothing, so that a short pause does not make the shown speed jump. */
const smoothingMs = 3000
const minStepMs = 100
/** A longer gap means that the machine slept or its clock was changed. */
const maxStepMs = 30_000

/** An exponentially smoothed speed. Bytes that are rolled back (a chunk sent again) count as zero. */
export function createThroughput(startedAt: number): Throughput {
  let observedAt = startedAt
  let observedBytes = 0
  let bytesPerSecond = 0
  let isFirst = true

  return {
    observe(movedBytes, now) {
      const elapsedMs = now - observedAt
      if (elapsedMs < 0 || elapsedMs > maxStepMs) {
        observedAt = now
        observedBytes = movedBytes
      }
      if (elapsedMs < minStepMs || elapsedMs > maxStepMs) return
      const current = (Math.max(0, movedBytes - observedBytes) * 1000) / elapsedMs
      const weight = isFirst ? 1 : 1 - Math.exp(-elapsedMs / smoothingMs)
      bytesPerSecond += weight * (current - bytesPerSecond)
      observedAt = now
      observedBytes = movedBytes
      isFirst = false
    },
    reset(movedBytes, now) {
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

/** Seconds until the remaining bytes have moved at this speed, or null while nothing moves. */
export function remainingSeconds(remainingBytes: number, bytesPerSecond: number): number | null {
  if (remainingBytes <= 0) return 0
  return bytesPerSecond >= 1 ? remainingBytes / bytesPerSecond : null
}
