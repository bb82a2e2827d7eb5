import { secondsLeft } from '@sallyport/client/throughput'
import type { UploadState } from '@sallyport/client/upload/upload-state'
import type { QueuedUpload } from '@sallyport/client/upload-queue'
import { lastPartOf } from '@sallyport/crypto'
import { fileWords } from '#/words/files.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** Speeds and times left are guesses until the upload has run for this long. */
const settledMs = 3000

/** What the upload card draws of an upload in the queue. */
export function transferOfUpload({ id, name, size, state }: QueuedUpload, now: number): Transfer {
  return { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
}

function stateOf(state: UploadState, now: number): TransferState {
  switch (state.status) {
    case 'waiting':
      return { phase: 'waiting' }
    case 'done':
      return { phase: 'done' }
    case 'cancelled':
      return { phase: 'cancelled' }
    case 'failed':
      return { phase: 'failed', message: state.error.message, deliveredBytes: 0 }
    case 'sending': {
      const { sealedBytes, sentBytes, totalBytes, bytesPerSecond, startedAt, isPaused } = state
      const isSettled = now - startedAt >= settledMs
      const figures = {
        encrypted: totalBytes === 0 ? 1 : sealedBytes / totalBytes,
        deliveredBytes: sentBytes,
        bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
        secondsLeft: isSettled ? secondsLeft(totalBytes - sentBytes, bytesPerSecond) : null,
      }
      if (isPaused) return { phase: 'paused', reason: fileWords.waitingForNetwork, ...figures }
      return { phase: 'moving', isChecking: state.phase === 'checking', ...figures }
    }
  }
}
