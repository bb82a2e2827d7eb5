import type { ListedArchive } from '@sallyport/transfers/browser/downloads/archives'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { decryptingPhase, figuresOf, pauseReason, phaseOf } from '#/components/transfers/transfer-phases.ts'
import type { Transfer, TransferState } from '#/components/transfers/transfer-state.ts'
import { archiveStrings } from '#/strings/archive.ts'
import { describeArchive } from '#/strings/errors/archive-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { transferStrings } from '#/strings/transfers.ts'

/** Converts an archive download into what the archive card shows. */
export function archiveToTransfer({ id, name, state }: ListedArchive, now: number): Transfer {
  return { id, fileName: name, sizeBytes: 'totalBytes' in state ? state.totalBytes : 0, state: stateOf(state, now) }
}

function stateOf(state: ListedArchive['state'], now: number): TransferState {
  if (state.status === 'decrypting') return decryptingPhase(state)
  if (state.status !== 'receiving' && state.status !== 'stuck') return phaseOf(state, describeArchive)
  const figures = figuresOf({ ...state, deliveredBytes: state.receivedBytes }, now)
  if (state.status === 'receiving')
    return state.isPaused ? { phase: 'paused', reason: pauseReason(), ...figures } : { phase: 'moving', ...figures }
  const reason = archiveStrings.fileFailed(
    visibleFileName(state.fileName),
    messageFor(state.error, transferStrings.unexpected, describeArchive),
  )
  return { phase: 'paused', reason, ...figures, secondsLeft: null }
}
