interface BudgetEntry {
  bytes: number
  readonly flush: () => boolean
}

/** The bytes that one transfer buffers. */
interface WriteBuffer {
  /** Adds bytes that were buffered; a negative number for bytes that were written. */
  add(bytes: number): void
  release(): void
}

export interface WriteBufferBudget {
  /** Registers a transfer. `flush` writes what it has buffered; it returns false if it cannot write now. */
  register(flush: () => boolean): WriteBuffer
  /** While true, transfers write each buffer at once and pause meanwhile. */
  isExceeded(): boolean
  bytes(): number
}

/**
 * Limits the bytes that uploads buffer for large writes. Over the limit, the largest buffers are flushed early; no
 * upload is rejected, and stalled uploads hold almost no memory.
 */
export function createWriteBufferBudget(limit: number): WriteBufferBudget {
  const entries = new Set<BudgetEntry>()
  let total = 0

  function flushLargest(): void {
    const largest = [...entries].sort((one, other) => other.bytes - one.bytes)
    largest.find(({ bytes, flush }) => bytes > 0 && flush())
  }

  return {
    register(flush) {
      const entry: BudgetEntry = { bytes: 0, flush }
      entries.add(entry)
      return {
        add(bytes) {
          entry.bytes += bytes
          total += bytes
          if (bytes > 0 && total > limit) flushLargest()
        },
        release() {
          if (entries.delete(entry)) total -= entry.bytes
          entry.bytes = 0
        },
      }
    },
    isExceeded: () => total > limit,
    bytes: () => total,
  }
}
