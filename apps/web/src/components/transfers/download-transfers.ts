import { lastPartOf } from '@sallyport/crypto'
import type { ListedDownload } from '@sallyport/transfers/browser/downloads/downloads'
import { describeDownload } from '#/strings/errors/download-errors.ts'
import { decryptingPhase, figuresOf, pauseReason, phaseOf } from './transfer-phases.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** Converts a download into what the download card shows. */
export function downloadToTransfer({ id, name, size, state }: Omit<ListedDownload, 'source'>, now: number): Transfer {
  return { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
}

function stateOf(state: ListedDownload['state'], now: number): TransferState {
  if (state.status === 'decrypting') return decryptingPhase(state)
  if (state.status !== 'receiving') return phaseOf(state, describeDownload)
  const figures = figuresOf({ ...state, deliveredBytes: state.receivedBytes }, now)
  return state.isPaused ? { phase: 'paused', reason: pauseReason(), ...figures } : { phase: 'moving', ...figures }
}
