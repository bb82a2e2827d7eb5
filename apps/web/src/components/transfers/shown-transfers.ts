import type { Transfer } from './transfer-state.ts'

/** The part of a long queue that a card shows. Thousands of rows would be slow to render. */
export interface ShownTransfers {
  readonly rows: readonly Transfer[]
  /** Waiting transfers that are not among the rows. */
  readonly waiting: readonly Transfer[]
}

const maxDone = 3

/** Selects active and failed transfers, the last few completed ones, and the first waiting ones. */
export function shownTransfers(transfers: readonly Transfer[], maxWaiting: number): ShownTransfers {
  const waiting = transfers.filter(({ state }) => state.phase === 'waiting')
  const done = transfers.filter(({ state }) => state.phase === 'done')
  const hidden = new Set([...waiting.slice(maxWaiting), ...done.slice(0, -maxDone)])
  // A summary of a single row would save no space.
  const isCollapsed = waiting.length > maxWaiting + 1
  return {
    rows: transfers.filter((transfer) => !hidden.has(transfer) || (!isCollapsed && transfer.state.phase === 'waiting')),
    waiting: isCollapsed ? waiting.slice(maxWaiting) : [],
  }
}
