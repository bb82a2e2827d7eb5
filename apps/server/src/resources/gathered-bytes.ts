interface Gatherer {
  bytes: number
  readonly flush: () => boolean
}

/** What one transfer holds in memory. */
interface Gathering {
  /** Counts bytes that were taken in, or, as a negative number, handed on. */
  count(bytes: number): void
  leave(): void
}

export interface GatheredBytes {
  /** `flush` hands on what a transfer has gathered so far; false where nothing can be handed on right now. */
  enter(flush: () => boolean): Gathering
  /** While true, transfers hand on each piece at once and take no further one meanwhile. */
  isFull(): boolean
  bytes(): number
}

/**
 * Bounds the bytes that uploads gather to large writes. Over the bound, the largest batches are written
 * early; no upload is refused, and those that stand still hold next to nothing.
 */
export function createGatheredBytes(most: number): GatheredBytes {
  const gatherers = new Set<Gatherer>()
  let total = 0

  function flushLargest(): void {
    const largest = [...gatherers].sort((one, other) => other.bytes - one.bytes)
    largest.find(({ bytes, flush }) => bytes > 0 && flush())
  }

  return {
    enter(flush) {
      const gatherer: Gatherer = { bytes: 0, flush }
      gatherers.add(gatherer)
      return {
        count(bytes) {
          gatherer.bytes += bytes
          total += bytes
          if (bytes > 0 && total > most) flushLargest()
        },
        leave() {
          if (gatherers.delete(gatherer)) total -= gatherer.bytes
          gatherer.bytes = 0
        },
      }
    },
    isFull: () => total > most,
    bytes: () => total,
  }
}
