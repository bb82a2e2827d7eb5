type Bytes = Uint8Array<ArrayBuffer>

export interface ExactReader {
  /**
   * Fills the buffer with the next bytes; gives fewer only where the stream ends. The buffer is used up: go on with the
   * one behind the bytes that come back.
   */
  fill(buffer: ArrayBuffer, length: number): Promise<Bytes>
  cancel(): Promise<void>
}

/**
 * Chromium's garbage collector takes the stream of a file when only a pending read knows of it, and that read then never
 * settles. So a stream is known here, too, for as long as somebody waits for it.
 */
const beingRead = new Set<ReadableStream>()

/** Reads a stream in pieces of a chosen size, straight into the caller's buffers where the browser can do that. */
export function createExactReader(stream: ReadableStream<Uint8Array>): ExactReader {
  const intoBuffer = readerIntoBuffer(stream)
  const reader = intoBuffer ? fillDirectly(intoBuffer) : fillByCopying(stream.getReader())
  return {
    async fill(buffer, length) {
      beingRead.add(stream)
      try {
        return await reader.fill(buffer, length)
      } finally {
        beingRead.delete(stream)
      }
    },
    cancel: reader.cancel,
  }
}

function readerIntoBuffer(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    // Not a byte stream, or a browser that knows no such readers.
    return null
  }
}

function fillDirectly(reader: ReadableStreamBYOBReader): ExactReader {
  return {
    async fill(buffer, length) {
      let current = buffer
      let filled = 0
      while (filled < length) {
        const rest = length - filled
        const { value, done } = await reader.read(new Uint8Array(current, filled, rest), { min: rest })
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

function fillByCopying(reader: ReadableStreamDefaultReader<Uint8Array>): ExactReader {
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
        const taken = rest.subarray(0, length - filled)
        target.set(taken, filled)
        filled += taken.length
        rest = rest.subarray(taken.length)
      }
      return target.subarray(0, filled)
    },
    cancel: () => reader.cancel(),
  }
}
