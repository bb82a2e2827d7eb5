import { Readable } from 'node:stream'

interface Meter {
  /** Books bytes before they are sent; answers how many were granted, 0 when there are none left. */
  readonly take: (bytes: number) => Promise<number>
  /** Returns what was granted and not sent. */
  readonly giveBack: (bytes: number) => Promise<void>
  readonly sliceBytes: number
  /** How many bytes the stream will bring. */
  readonly totalBytes: number
  readonly signal: AbortSignal
  /** The error that ends a stream without any bytes left. */
  readonly onExhausted: () => Error
}

/** The same stream, which sends no byte that was not booked. */
export function meterStream(source: Readable, meter: Meter): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let granted = 0
    let unbooked = meter.totalBytes
    try {
      for await (const piece of source as AsyncIterable<Buffer>) {
        while (granted < piece.length) {
          const more = await meter.take(Math.min(Math.max(meter.sliceBytes, piece.length - granted), unbooked))
          if (more === 0) throw meter.onExhausted()
          granted += more
          unbooked -= more
        }
        granted -= piece.length
        yield piece
      }
    } finally {
      if (granted > 0) await meter.giveBack(granted)
    }
  }
  const stream = Readable.from(pieces(), { objectMode: false, signal: meter.signal })
  // Before its first byte is asked for, the generator has not begun and cannot end its source.
  stream.once('close', () => source.destroy())
  return stream
}
