import { Readable } from 'node:stream'

interface MeterStreamOptions {
  /** Reserves bytes before they are sent; resolves to the number granted, 0 when none are left. */
  readonly reserve: (bytes: number) => Promise<number>
  /** Releases bytes that were granted and not sent. */
  readonly release: (bytes: number) => Promise<void>
  readonly sliceBytes: number
  /** The length of the stream in bytes. */
  readonly totalBytes: number
  readonly signal: AbortSignal
  /** Creates the error that ends the stream when no bytes are left. */
  readonly onExhausted: () => Error
}

/** Returns the same stream, which sends only reserved bytes. */
export function meterStream(source: Readable, options: MeterStreamOptions): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let granted = 0
    let unreserved = options.totalBytes
    try {
      for await (const piece of source as AsyncIterable<Buffer>) {
        while (granted < piece.length) {
          const more = await options.reserve(Math.min(Math.max(options.sliceBytes, piece.length - granted), unreserved))
          if (more === 0) throw options.onExhausted()
          granted += more
          unreserved -= more
        }
        granted -= piece.length
        yield piece
      }
    } finally {
      if (granted > 0) await options.release(granted)
    }
  }
  const stream = Readable.from(pieces(), { objectMode: false, signal: options.signal })
  // Until the first read the generator has not started and cannot close its source.
  stream.once('close', () => source.destroy())
  // A stream whose client reads nothing would not notice.
  source.once('error', (error) => stream.destroy(error))
  return stream
}
