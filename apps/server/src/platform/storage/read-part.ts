import { close, read } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.rules.ts'
import type { IoScheduler } from './io-scheduler.ts'

/**
 * A stream over a range of an open file; it closes the file. Its pieces are large, and smaller while many transfers are
 * active. Each piece has a buffer of its own, which can be released.
 */
export function readPart(file: number, { start, end }: ByteRange, ioScheduler: IoScheduler): Readable {
  const slot = ioScheduler.acquire()
  let position = start
  let isReading = false
  let onRead: (() => void) | null = null

  return new Readable({
    // One piece is buffered, whatever its length.
    highWaterMark: 1,
    read() {
      const wanted = Math.min(slot.bytesPerTick(), end + 1 - position)
      if (wanted <= 0) return void this.push(null)
      const piece = Buffer.allocUnsafeSlow(wanted)
      isReading = true
      read(file, piece, 0, wanted, position, (error, count) => {
        isReading = false
        if (onRead) return onRead()
        if (error) return void this.destroy(error)
        // Otherwise the response would end early, and its client would wait for the rest.
        if (count === 0)
          return void this.destroy(new Error('A stored object is shorter than it was when it was stored'))
        position += count
        this.push(withoutRest(piece, count))
      })
    },
    destroy(error, done) {
      slot.release()
      const closeFile = (): void => close(file, (problem) => done(error ?? problem))
      // The kernel may reuse a closed descriptor while the read is still running.
      if (isReading) onRead = closeFile
      else closeFile()
    },
  })
}

const withoutRest = (piece: Buffer, count: number): Buffer =>
  count === piece.length ? piece : piece.subarray(0, count)
