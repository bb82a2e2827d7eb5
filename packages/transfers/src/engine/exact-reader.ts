type Bytes = Uint8Array<ArrayBuffer>

export interface ExactReader {
  /**
   * Fills the buffer with the next bytes; returns fewer only at the end of the stream. The buffer is transferred: use
   * the one of the returned array afterwards.
   */
  fill(buffer: ArrayBuffer, length: number): Promise<Bytes>
  cancel(): Promise<void>
}

/**
 * Chromium's garbage collector collects the stream of a file that only a pending read refers to, and that read then
 * never settles. This set holds a reference for as long as a read is pending.
 */
const activeStreams = new Set<ReadableStream>()

/**
 * Reads a stream in pieces of a chosen size, directly into the caller's buffers where the browser supports BYOB
 * readers.
 */
export function createExactReader(stream: ReadableStream<Uint8Array>): ExactReader {
  const byobReader = getByobReader(stream)
  const reader = byobReader ? createByobFiller(byobReader) : createCopyingFiller(stream.getReader())
  return {
    async fill(buffer, length) {
      activeStreams.add(stream)
      try {
        return await reader.fill(buffer, length)
      } finally {
        activeStreams.delete(stream)
      }
    },
    cancel: reader.cancel,
  }
}

function getByobReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    // Not a byte stream, or a browser without BYOB readers.
    return null
  }
}

/** Node rejects the read of a stream that has closed within an earlier read, and discards the bytes of both. */
const isReadOfClosedStream = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'

function createByobFiller(reader: ReadableStreamBYOBReader): ExactReader {
  return {
    async fill(buffer, length) {
      let current = buffer
      let filled = 0
      while (filled < length) {
        const rest = length - filled
        const view = new Uint8Array(current, filled, rest)
        const result = await reader.read(view, { min: rest }).catch((error: unknown) => {
          if (isReadOfClosedStream(error)) return null
          throw error
        })
        if (result === null) return new Uint8Array(0)
        const { value, done } = result
        if (!value) break
        current = value.buffer
        filled += value.byteLength
        if (done) break
      }
      return new Uint8Array(current, 0, filled)
    },
    cancel: () => reader.cancel(),
  }
}

function createCopyingFiller(reader: ReadableStreamDefaultReader<Uint8Array>): ExactReader {
  let rest: Uint8Array = new Uint8Array(0)
  return {
    async fill(buffer, length) {
      const target = new Uint8Array(buffer, 0, length)
      let filled = 0
      while (filled < length) {
        if (rest.length === 0) {
          const { value, done } = await reader.read()
          if (done) break
          rest = value
        }
        const piece = rest.subarray(0, length - filled)
        target.set(piece, filled)
        filled += piece.length
        rest = rest.subarray(piece.length)
      }
      return target.subarray(0, filled)
    },
    cancel: () => reader.cancel(),
  }
}
