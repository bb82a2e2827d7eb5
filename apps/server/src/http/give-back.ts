import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * Gives back the memory of bytes that nobody will look at again. Left to the garbage collector, every 64 MB that pass
 * through cost a collection of the whole heap, and lie about until then.
 */
export function giveBack(bytes: Buffer): void {
  // A piece of something larger shares its memory with the rest.
  if (bytes.length === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Gives back what is piped into a response, once all of it has been handed to the network. */
export function giveBackWhenSent(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    let leaving: Buffer[] = []
    source.on('data', (piece: Buffer) => leaving.push(piece))
    response.on('drain', () => {
      // A pipelined response tells of room before all has gone, and memory must not change under a write.
      if (response.writableLength > 0) return
      for (const piece of leaving) giveBack(piece)
      leaving = []
    })
  })
}
