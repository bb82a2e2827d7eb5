import type { QueuedUpload } from '@sallyport/client/upload/upload-queue'
import type { UploadState } from '@sallyport/client/upload/upload-state'
import { lastPartOf } from '@sallyport/crypto'
import { describeUpload } from '#/strings/errors/upload-errors.ts'
import { figuresOf, pauseReason, phaseOf } from './transfer-phases.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** Converts a queued upload into what the upload card shows. */
export function uploadToTransfer({ id, name, size, state }: QueuedUpload, now: number): Transfer {
  return { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
}

function stateOf(state: UploadState, now: number): TransferState {
  if (state.status !== 'sending') return phaseOf(state, describeUpload)
  const { sealedBytes, sentBytes, totalBytes } = state
  const encrypted = totalBytes === 0 ? 1 : sealedBytes / totalBytes
  const figures = { encrypted, ...figuresOf({ ...state, deliveredBytes: sentBytes }, now) }
  if (state.isPaused) return { phase: 'paused', reason: pauseReason(), ...figures }
  return { phase: 'moving', isChecking: state.phase === 'checking', ...figures }
}
