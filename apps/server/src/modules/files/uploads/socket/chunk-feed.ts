import { Readable } from 'node:stream'

const highWaterMarkBytes = 1024 * 1024

/** The bytes of one chunk on their way from a socket to disk. */
export interface ChunkFeed {
  readonly bytes: Readable
  /** Bytes that may still be pushed. */
  readonly remainingBytes: number
  /** Pushes bytes, at most `remainingBytes` of them. */
  push(piece: Buffer): void
  /** Ends the stream. */
  end(): void
}

/** Creates the stream of a chunk with at most `maxBytes` bytes. Signals backpressure with `pause` and `resume`. */
export function createChunkFeed(maxBytes: number, backpressure: { pause: () => void; resume: () => void }): ChunkFeed {
  let remainingBytes = maxBytes
  const bytes = new Readable({ highWaterMark: highWaterMarkBytes, read: backpressure.resume })
  return {
    bytes,
    get remainingBytes() {
      return remainingBytes
    },
    push(piece) {
      remainingBytes -= piece.length
      const hasCapacity = bytes.push(piece)
      if (remainingBytes === 0) bytes.push(null)
      else if (!hasCapacity) backpressure.pause()
    },
    end() {
      if (remainingBytes > 0) bytes.push(null)
    },
  }
}
