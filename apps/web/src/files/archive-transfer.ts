import { secondsLeft } from '@sallyport/client/throughput'
import type { Transfer, TransferState } from '#/transfer-views/transfer-state.ts'
import type { ListedArchive } from '#/transfers/archives.ts'
import { archiveWords } from '#/words/archive.ts'

/** Times left are guesses until the download has run for this long. */
const settledMs = 3000

/** What the archive card draws of all files on their way. */
export function transferOfArchive({ id, name, state }: ListedArchive, now: number): Transfer {
  return { id, fileName: name, sizeBytes: 'totalBytes' in state ? state.totalBytes : 0, state: stateOf(state, now) }
}

function stateOf(state: ListedArchive['state'], now: number): TransferState {
  switch (state.status) {
    case 'waiting':
      return { phase: 'waiting' }
    case 'done':
      return { phase: 'done' }
    case 'cancelled':
      return { phase: 'cancelled' }
    case 'failed':
      return { phase: 'failed', message: state.error.message, deliveredBytes: 0 }
    case 'receiving':
    case 'stuck': {
      const { receivedBytes, totalBytes, bytesPerSecond, startedAt } = state
      const isSettled = state.status === 'receiving' && now - startedAt >= settledMs
      const figures = {
        deliveredBytes: receivedBytes,
        bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
        secondsLeft: isSettled ? secondsLeft(totalBytes - receivedBytes, bytesPerSecond) : null,
      }
      if (state.status === 'receiving') return { phase: 'moving', ...figures }
      return { phase: 'paused', reason: archiveWords.stuck(state.fileName, state.error.message), ...figures }
    }
  }
}
