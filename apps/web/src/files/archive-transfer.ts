import { figuresOf, phaseOf } from '#/transfer-views/transfer-phases.ts'
import type { Transfer, TransferState } from '#/transfer-views/transfer-state.ts'
import type { ListedArchive } from '#/transfers/archives.ts'
import { archiveWords } from '#/words/archive.ts'

/** What the archive card draws of all files on their way. */
export function transferOfArchive({ id, name, state }: ListedArchive, now: number): Transfer {
  return { id, fileName: name, sizeBytes: 'totalBytes' in state ? state.totalBytes : 0, state: stateOf(state, now) }
}

function stateOf(state: ListedArchive['state'], now: number): TransferState {
  if (state.status !== 'receiving' && state.status !== 'stuck') return phaseOf(state)
  const figures = figuresOf({ ...state, deliveredBytes: state.receivedBytes }, now)
  if (state.status === 'receiving') return { phase: 'moving', ...figures }
  const reason = archiveWords.stuck(state.fileName, state.error.message)
  return { phase: 'paused', reason, ...figures, secondsLeft: null }
}
