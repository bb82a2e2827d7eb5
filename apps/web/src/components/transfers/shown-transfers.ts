import type { Transfer } from './transfer-state.ts'

/** The part of a long queue that a card shows. Thousands of rows would be slow to render. */
export interface ShownTransfers {
  readonly rows: readonly Transfer[]
  /** Waiting transfers that are not among the rows. */
  readonly waiting: readonly Transfer[]
}

const maxDone = 3
const maxWaitingAtFirst = 4
/** A queue with this many active transfers is long. */
const longQueueLength = 20
/** In a long queue a transfer is shown after it has taken this long: rows of small files would only flash. */
const quickMs = 1000

interface ShownTransfersInput {
  /** How many more waiting transfers the user wants to see. */
  readonly moreWaiting: number
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Selects active and failed transfers, the last few completed ones, and the first waiting ones. Of a long queue only the
 * failed transfers and those that take a while.
 */
export function shownTransfers(
  transfers: readonly Transfer[],
  { moreWaiting, now }: ShownTransfersInput,
): ShownTransfers {
  const waiting = transfers.filter(({ state }) => state.phase === 'waiting')
  const done = transfers.filter(({ state }) => state.phase === 'done')
  const moving = transfers.filter(({ state }) => state.phase === 'moving')
  const isLong = waiting.length + moving.length >= longQueueLength
  const maxWaiting = (isLong ? 0 : maxWaitingAtFirst) + moreWaiting
  // A summary of a single row would save no space.
  const isCollapsed = waiting.length > maxWaiting + 1
  const hidden = new Set([
    ...(isCollapsed ? waiting.slice(maxWaiting) : []),
    ...(isLong ? done : done.slice(0, -maxDone)),
    ...(isLong ? moving.filter(({ state }) => 'startedAt' in state && now - state.startedAt < quickMs) : []),
  ])
  return {
    rows: transfers.filter((transfer) => !hidden.has(transfer)),
    waiting: isCollapsed ? waiting.slice(maxWaiting) : [],
  }
}
