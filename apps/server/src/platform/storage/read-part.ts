import { close, read } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.rules.ts'
import type { IoSlot } from './io-scheduler.ts'

/**
 * A stream over a range of an open file; it closes the file. Its pieces are large, and smaller while many transfers are
 * active. Each piece has a buffer of its own, which can be released.
 */
export function readPart(file: number, { start, end }: ByteRange, slot: IoSlot): Readable {
  let position = start
  let isReading = false
  let onRead: (() => void) | null = null

  const stream = new Readable({
    // One piece is buffered, whatever its length.
    highWaterMark: 1,
    read() {
      if (position > end) this.push(null)
      else slot.takeTurn(readPiece)
    },
    destroy(error, done) {
      slot.release()
      const closeFile = (): void => close(file, (problem) => done(error ?? problem))
      // The kernel may reuse a closed descriptor while the read is still running.
      if (isReading) onRead = closeFile
      else closeFile()
    },
  })

  function readPiece(): void {
    if (stream.destroyed) return
    const wanted = Math.min(slot.bytesPerTick(), end + 1 - position)
    const piece = Buffer.allocUnsafeSlow(wanted)
    isReading = true
    read(file, piece, 0, wanted, position, (error, count) => {
      isReading = false
      if (onRead) return onRead()
      if (error) return void stream.destroy(error)
      // Otherwise the response would end early, and its client would wait for the rest.
      if (count === 0)
        return void stream.destroy(new Error('A stored object is shorter than it was when it was stored'))
      position += count
      stream.push(withoutRest(piece, count))
    })
  }

  return stream
}

const withoutRest = (piece: Buffer, count: number): Buffer =>
  count === piece.length ? piece : piece.subarray(0, count)
