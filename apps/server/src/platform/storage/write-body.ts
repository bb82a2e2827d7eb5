import { fdatasync, writev } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { apiError } from '../../errors.ts'
import { releaseBuffer } from '../http/release-memory.ts'
import type { NewObject, StoredObject } from './blob-store.ts'
import { type IoSlot, paceByTicks } from './io-scheduler.ts'
import type { WriteBufferBudget } from './write-buffer-budget.ts'

type WriteBodyInput = Pick<NewObject, 'bytes' | 'length' | 'signal' | 'onPiece'> & {
  readonly slot: IoSlot
  readonly writeBuffers: WriteBufferBudget
}

const batchBytes = 1024 * 1024
const batchPieces = 512

/** Flushes the data of a file to the disk. */
export const syncFile = promisify(fdatasync)

/**
 * Writes a stream to an open file. Combines pieces to large writes and pauses the source while the disk is slower;
 * at most two batches are in memory. Settles only when no write is running. Consumes the pieces: their buffers are released
 * as soon as they are written.
 */
export function writeBody(
  file: number,
  { bytes, length, signal, onPiece, slot, writeBuffers }: WriteBodyInput,
): Promise<StoredObject> {
  return new Promise((resolve, reject) => {
    let gathered: Buffer[] = []
    let gatheredBytes = 0
    let arrived = 0
    let written = 0
    let checksum = 0
    const held = writeBuffers.register(writePending)
    const pacing = paceByTicks(slot, { pause: () => bytes.pause(), resume })
    let isWriting = false
    let hasEnded = false
    let failure: { readonly reason: unknown } | null = null

    const isBatch = (): boolean =>
      gatheredBytes >= batchBytes || gathered.length >= batchPieces || (writeBuffers.isExceeded() && gatheredBytes > 0)

    function onPieceRead(piece: Buffer): void {
      arrived += piece.length
      if (arrived > length.most) fail(apiError('CHUNK_TOO_LONG'))
      if (failure) return
      checksum = crc32(piece, checksum)
      gathered.push(piece)
      gatheredBytes += piece.length
      held.add(piece.length)
      onPiece?.(piece.length)
      pacing.count(piece.length)
      // When the budget of the process is exceeded, a write of these pieces may already be running.
      if (!isBatch()) return
      if (isWriting) bytes.pause()
      else writeBatch()
    }

    function writePending(): boolean {
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
          held.add(-count)
        }
        const rest = failure ? [] : withoutFirst(batch, count)
        if (rest.length > 0) {
          writeAll(rest)
        } else {
          for (const piece of batch) releaseBuffer(piece)
          isWriting = false
          proceed()
        }
      })
    }

    function proceed(): void {
      if (isWriting) return
      if (failure) {
        release()
        reject(failure.reason)
      } else if (isBatch() || (hasEnded && gatheredBytes > 0)) {
        writeBatch()
      } else if (hasEnded) {
        release()
        resolve({ bytes: written, checksum })
      }
      resume()
    }

    function resume(): void {
      const isDiskBehind = isWriting && isBatch()
      if (bytes.isPaused() && !isDiskBehind && !pacing.isPaused()) bytes.resume()
    }

    function end(): void {
      hasEnded = true
      bytes.off('error', interrupt).off('close', interrupt)
      if (arrived < length.least) fail(apiError('CHUNK_LENGTH_WRONG'))
      else proceed()
    }

    function fail(reason: unknown): void {
      failure ??= { reason }
      proceed()
    }

    const interrupt = (): void => fail(apiError('BAD_REQUEST', { text: 'The upload was interrupted' }))
    const abort = (): void => fail(signal.reason)

    function release(): void {
      slot.release()
      held.release()
      bytes.off('data', onPieceRead).off('end', end).off('close', interrupt)
      signal.removeEventListener('abort', abort)
      // Discards the rest, so that the connection can carry the response.
      if (!hasEnded) bytes.resume()
    }

    bytes.on('data', onPieceRead).on('end', end).on('error', interrupt).on('close', interrupt)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else if (bytes.destroyed && !bytes.readableEnded) interrupt()
  })
}

/** The rest of a batch after a partial write. */
function withoutFirst(batch: readonly Buffer[], count: number): readonly Buffer[] {
  let left = count
  for (const [position, piece] of batch.entries()) {
    if (left < piece.length) return [piece.subarray(left), ...batch.slice(position + 1)]
    left -= piece.length
  }
  return []
}
