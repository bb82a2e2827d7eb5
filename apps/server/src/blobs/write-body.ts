import { fdatasync, writev } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { refuse } from '../errors.ts'
import { giveBack } from '../http/give-back.ts'
import type { GatheredBytes } from '../resources/gathered-bytes.ts'
import type { NewObject, StoredObject } from './blob-store.ts'
import { type Passages, pauseWithinTicks } from './passages.ts'

type Body = Pick<NewObject, 'bytes' | 'length' | 'signal' | 'onPiece'> & {
  readonly passages: Passages
  readonly gathering: GatheredBytes
}

const batchBytes = 1024 * 1024
const batchPieces = 512

/** Puts what is written on the disk, and not only into the machine's memory. */
export const syncFile = promisify(fdatasync)

/**
 * Writes a stream to an open file. Pieces are gathered to large writes, and the sender is made to wait while the disk
 * is slower; no more than two batches are in memory. Comes to its end, good or bad, only when nothing is being written.
 * The pieces are used up: their memory is given back as soon as they are written.
 */
export function writeBody(
  file: number,
  { bytes, length, signal, onPiece, passages, gathering }: Body,
): Promise<StoredObject> {
  return new Promise((resolve, reject) => {
    let gathered: Buffer[] = []
    let gatheredBytes = 0
    let arrived = 0
    let written = 0
    let checksum = 0
    const passage = passages.enter()
    const held = gathering.enter(writeWhatThereIs)
    const pacing = pauseWithinTicks(passage, { pause: () => bytes.pause(), goOn })
    let isWriting = false
    let hasEnded = false
    let failure: { readonly reason: unknown } | null = null

    const isBatch = (): boolean =>
      gatheredBytes >= batchBytes || gathered.length >= batchPieces || (gathering.isFull() && gatheredBytes > 0)

    function take(piece: Buffer): void {
      arrived += piece.length
      if (arrived > length.most) fail(refuse('CHUNK_TOO_LONG'))
      if (failure) return
      checksum = crc32(piece, checksum)
      gathered.push(piece)
      gatheredBytes += piece.length
      held.count(piece.length)
      onPiece?.(piece.length)
      pacing.count(piece.length)
      // Over the bound of the process, what was gathered here may be on its way to the disk already.
      if (!isBatch()) return
      if (isWriting) bytes.pause()
      else writeBatch()
    }

    function writeWhatThereIs(): boolean {
      if (isWriting || failure || gatheredBytes === 0) return false
      writeBatch()
      return true
    }

    function writeBatch(): void {
      const batch = gathered
      gathered = []
      gatheredBytes = 0
      isWriting = true
      writeAll(batch)
    }

    function writeAll(batch: readonly Buffer[]): void {
      writev(file, batch, written, (error, count) => {
        if (error) failure ??= { reason: error }
        else {
          written += count
          held.count(-count)
        }
        const rest = failure ? [] : withoutFirst(batch, count)
        if (rest.length > 0) {
          writeAll(rest)
        } else {
          for (const piece of batch) giveBack(piece)
          isWriting = false
          proceed()
        }
      })
    }

    function proceed(): void {
      if (isWriting) return
      if (failure) {
        leave()
        reject(failure.reason)
      } else if (isBatch() || (hasEnded && gatheredBytes > 0)) {
        writeBatch()
      } else if (hasEnded) {
        leave()
        resolve({ bytes: written, checksum })
      }
      goOn()
    }

    function goOn(): void {
      const isDiskBehind = isWriting && isBatch()
      if (bytes.isPaused() && !isDiskBehind && !pacing.isPaused()) bytes.resume()
    }

    function end(): void {
      hasEnded = true
      bytes.off('error', breakOff).off('close', breakOff)
      if (arrived < length.least) fail(refuse('CHUNK_LENGTH_WRONG'))
      else proceed()
    }

    function fail(reason: unknown): void {
      failure ??= { reason }
      proceed()
    }

    const breakOff = (): void => fail(refuse('BAD_REQUEST', { text: 'The upload was broken off' }))
    const abort = (): void => fail(signal.reason)

    function leave(): void {
      passage.leave()
      held.leave()
      bytes.off('data', take).off('end', end).off('close', breakOff)
      signal.removeEventListener('abort', abort)
      // What still comes is let through to nowhere, so that the connection can carry the answer.
      if (!hasEnded) bytes.resume()
    }

    bytes.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else if (bytes.destroyed && !bytes.readableEnded) breakOff()
  })
}

/** What is left of a batch of which only the first bytes were written. */
function withoutFirst(batch: readonly Buffer[], count: number): readonly Buffer[] {
  let left = count
  for (const [position, piece] of batch.entries()) {
    if (left < piece.length) return [piece.subarray(left), ...batch.slice(position + 1)]
    left -= piece.length
  }
  return []
}
