import type { Bytes } from './bytes.ts'

interface Frame {
  readonly index: number
  /** Valid until the next frame is requested. */
  readonly bytes: Uint8Array
}

interface FrameSizes {
  readonly firstIndex: number
  readonly count: number
  frameBytes(index: number): number
}

export interface FrameSplitter {
  /** Yields the frames that a piece completes, in order. Bytes after the last frame are counted as excess. */
  split(piece: Uint8Array): Generator<Frame, void, void>
  readonly nextIndex: number
  readonly excessBytes: number
}

/**
 * Splits pieces of any size into frames of known sizes. A frame within one piece is passed on without a copy; one that
 * spans pieces is assembled in a buffer, which is reused for the next.
 */
export function createFrameSplitter({ firstIndex, count, frameBytes }: FrameSizes): FrameSplitter {
  let nextIndex = firstIndex
  let excessBytes = 0
  let buffer: Bytes = new Uint8Array(0)
  let filled = 0

  function* split(piece: Uint8Array): Generator<Frame, void, void> {
    let rest = piece
    while (rest.length > 0 && nextIndex < count) {
      const size = frameBytes(nextIndex)
      const part = rest.subarray(0, size - filled)
      rest = rest.subarray(part.length)
      if (part.length === size) {
        yield { index: nextIndex++, bytes: part }
        continue
      }
      if (buffer.length < size) buffer = new Uint8Array(size)
      buffer.set(part, filled)
      filled += part.length
      if (filled < size) return
      filled = 0
      yield { index: nextIndex++, bytes: buffer.subarray(0, size) }
    }
    excessBytes += rest.length
  }

  return {
    split,
    get nextIndex() {
      return nextIndex
    },
    get excessBytes() {
      return excessBytes
    },
  }
}
