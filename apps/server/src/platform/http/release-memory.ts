import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * Frees the memory of a buffer that is no longer used. If it were left to the garbage collector, every 64 MB of traffic
 * would cost a full collection and stay allocated until then.
 */
export function releaseBuffer(bytes: Buffer): void {
  // A slice shares its memory with the rest of its buffer.
  if (bytes.length === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Frees the buffers that are piped into a response once all of them were handed to the network. */
export function releaseWhenSent(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    let sending: Buffer[] = []
    source.on('data', (piece: Buffer) => sending.push(piece))
    response.on('drain', () => {
      // A pipelined response emits 'drain' before all bytes have left, and memory must not change during a write.
      if (response.writableLength > 0) return
      for (const piece of sending) releaseBuffer(piece)
      sending = []
    })
  })
}
