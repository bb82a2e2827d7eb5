import { close, read } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.rules.ts'
import type { Passages } from './passages.ts'

/**
 * A stream over a part of an open file, which it closes. Its pieces are large, and smaller while many transfers are under
 * way; each has memory of its own, so that it can be given back.
 */
export function readPart(file: number, { start, end }: ByteRange, passages: Passages): Readable {
  const passage = passages.enter()
  let position = start
  let isReading = false
  let onceRead: (() => void) | null = null

  return new Readable({
    // One piece lies ready, whatever its length.
    highWaterMark: 1,
    read() {
      const wanted = Math.min(passage.bytesPerTick(), end + 1 - position)
      if (wanted <= 0) return void this.push(null)
      const piece = Buffer.allocUnsafeSlow(wanted)
      isReading = true
      read(file, piece, 0, wanted, position, (error, count) => {
        isReading = false
        if (onceRead) return onceRead()
        if (error) return void this.destroy(error)
        position += count
        this.push(count === 0 ? null : withoutRest(piece, count))
      })
    },
    destroy(error, done) {
      passage.leave()
      const closeFile = (): void => close(file, (problem) => done(error ?? problem))
      // A number that is closed may stand for another file before the reading comes to its end.
      if (isReading) onceRead = closeFile
      else closeFile()
    },
  })
}

const withoutRest = (piece: Buffer, count: number): Buffer =>
  count === piece.length ? piece : piece.subarray(0, count)
