import { secondsLeft } from '@sallyport/client/throughput'
import { lastPartOf } from '@sallyport/crypto'
import type { ListedDownload } from '#/transfers/downloads.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

/** Times left are guesses until the download has run for this long. */
const settledMs = 3000

/** What the download card draws of a download. */
export function transferOfDownload({ id, name, size, state }: Omit<ListedDownload, 'source'>, now: number): Transfer {
  return { id, fileName: lastPartOf(name), sizeBytes: size, state: stateOf(state, now) }
}

function stateOf(state: ListedDownload['state'], now: number): TransferState {
  switch (state.status) {
    case 'waiting':
      return { phase: 'waiting' }
    case 'done':
      return { phase: 'done' }
    case 'cancelled':
      return { phase: 'cancelled' }
    case 'failed':
      return { phase: 'failed', message: state.error.message, deliveredBytes: 0 }
    case 'receiving': {
      const { receivedBytes, totalBytes, bytesPerSecond, startedAt } = state
      const isSettled = now - startedAt >= settledMs
      return {
        phase: 'moving',
        deliveredBytes: receivedBytes,
        bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
        secondsLeft: isSettled ? secondsLeft(totalBytes - receivedBytes, bytesPerSecond) : null,
      }
    }
  }
}
