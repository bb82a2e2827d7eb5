import { lastPartOf } from '@sallyport/crypto'
import type { QueuedUpload } from '@sallyport/transfers/engine/upload/upload-queue'
import type { UploadState } from '@sallyport/transfers/engine/upload/upload-state'
import { describeUpload } from '#/strings/errors/upload-errors.ts'
import { figuresOf, pauseReason, phaseOf } from './transfer-phases.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** The transfers of uploads that are not being sent; of thousands in a queue only a few are. */
const unchangingTransfers = new WeakMap<QueuedUpload, Transfer>()

/** Converts a queued upload into what the upload card shows. */
export function uploadToTransfer(upload: QueuedUpload, now: number): Transfer {
  const known = unchangingTransfers.get(upload)
  if (known) return known
  const { id, name, size, state } = upload
  const transfer = { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
  if (state.status !== 'sending') unchangingTransfers.set(upload, transfer)
  return transfer
}

function stateOf(state: UploadState, now: number): TransferState {
  if (state.status !== 'sending') return phaseOf(state, describeUpload)
  const { sealedBytes, sentBytes, totalBytes } = state
  const encrypted = totalBytes === 0 ? 1 : sealedBytes / totalBytes
  const figures = { encrypted, startedAt: state.startedAt, ...figuresOf({ ...state, deliveredBytes: sentBytes }, now) }
  if (state.isPaused) return { phase: 'paused', reason: pauseReason(), ...figures }
  return { phase: 'moving', isChecking: state.phase === 'checking', ...figures }
}
