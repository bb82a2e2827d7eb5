import { lastPartOf } from '@sallyport/crypto'
import type { ListedDownload } from '#/transfers/downloads.ts'
import { figuresOf, phaseOf } from './transfer-phases.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** What the download card draws of a download. */
export function transferOfDownload({ id, name, size, state }: Omit<ListedDownload, 'source'>, now: number): Transfer {
  return { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
}

function stateOf(state: ListedDownload['state'], now: number): TransferState {
  if (state.status !== 'receiving') return phaseOf(state)
  return { phase: 'moving', ...figuresOf({ ...state, deliveredBytes: state.receivedBytes }, now) }
}
