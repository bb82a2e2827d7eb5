import type { Bytes } from './bytes.ts'

interface Frame {
  readonly index: number
  /** Valid until the next frame is asked for. */
  readonly bytes: Uint8Array
}

interface FrameSizes {
  readonly firstIndex: number
  readonly count: number
  frameBytes(index: number): number
}

export interface FrameCutter {
  /** The frames that a piece completes, in order. Bytes after the last frame are counted as excess. */
  cut(piece: Uint8Array): Generator<Frame, void, void>
  readonly nextIndex: number
  readonly excessBytes: number
}

/**
 * Cuts pieces of any size into frames of known sizes. A frame that lies within one piece is passed on as it is; only
 * one that spans pieces is put together in a buffer, which is used again for the next.
 */
export function createFrameCutter({ firstIndex, count, frameBytes }: FrameSizes): FrameCutter {
  let nextIndex = firstIndex
  let excessBytes = 0
  let buffer: Bytes = new Uint8Array(0)
  let filled = 0

  function* cut(piece: Uint8Array): Generator<Frame, void, void> {
    let rest = piece
    while (rest.length > 0 && nextIndex < count) {
      const size = frameBytes(nextIndex)
      const taken = rest.subarray(0, size - filled)
      rest = rest.subarray(taken.length)
      if (taken.length === size) {
        yield { index: nextIndex++, bytes: taken }
        continue
      }
      if (buffer.length < size) buffer = new Uint8Array(size)
      buffer.set(taken, filled)
      filled += taken.length
      if (filled < size) return
      filled = 0
      yield { index: nextIndex++, bytes: buffer.subarray(0, size) }
    }
    excessBytes += rest.length
  }

  return {
    cut,
    get nextIndex() {
      return nextIndex
    },
    get excessBytes() {
      return excessBytes
    },
  }
}
