import type { Transfer } from './transfer-state.ts'

/** What a card shows of a long queue: a page of thousands of rows would be slow, and nobody reads it. */
export interface ShownTransfers {
  readonly rows: readonly Transfer[]
  /** Those that wait and are not among the rows. */
  readonly waiting: readonly Transfer[]
}

const mostDone = 3

/** All that moves or needs a decision, the last few that are done, and so many of those that wait. */
export function shownTransfers(transfers: readonly Transfer[], mostWaiting: number): ShownTransfers {
  const waiting = transfers.filter(({ state }) => state.phase === 'waiting')
  const done = transfers.filter(({ state }) => state.phase === 'done')
  const hidden = new Set([...waiting.slice(mostWaiting), ...done.slice(0, -mostDone)])
  // A line that stands for a single row would be no shorter than that row.
  const isWorthIt = waiting.length > mostWaiting + 1
  return {
    rows: transfers.filter((transfer) => !hidden.has(transfer) || (!isWorthIt && transfer.state.phase === 'waiting')),
    waiting: isWorthIt ? waiting.slice(mostWaiting) : [],
  }
}
