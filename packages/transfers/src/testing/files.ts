import type { Sink } from '../engine/download/sink.ts'
import type { FileSource } from '../engine/upload/file-source.ts'

export function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'holiday.txt'): FileSource & { lastModified: number } {
  const blob = new Blob([bytes])
  return {
    name,
    type: 'text/plain',
    size: bytes.length,
    lastModified: 1_700_000_000_000,
    slice: (start, end) => blob.slice(start, end),
  }
}

/** A sink with inspectable content. */
export function createTestSink({
  isSeekable = false,
  failAt = Number.POSITIVE_INFINITY,
  room = 64 * 1024 * 1024,
} = {}) {
  const content = new Uint8Array(room)
  let end = 0
  const sink: Sink<Uint8Array> & { state: 'open' | 'closed' | 'aborted'; content(): Uint8Array } = {
    storage: 'memory',
    isSeekable,
    state: 'open',
    content: () => content.subarray(0, end),
    write(bytes, position) {
      if (position >= failAt) throw new Error('The disk is full')
      if (!isSeekable && position !== end) throw new Error('Written out of order')
      content.set(bytes, position)
      end = Math.max(end, position + bytes.length)
    },
    async close() {
      sink.state = 'closed'
      return sink.content()
    },
    async abort() {
      sink.state = 'aborted'
      end = 0
    },
  }
  return sink
}
