import { isActive, type TransferJob } from '@sallyport/transfers/engine/job'

/** The part of a long queue that a card shows. Thousands of rows would be slow to render. */
export interface ShownTransfers {
  readonly rows: readonly TransferJob[]
  /** Waiting transfers that are not among the rows. */
  readonly waiting: readonly TransferJob[]
}

const maxDone = 3
const maxWaitingAtFirst = 4
/** A queue of this many files is long until its last one has ended. */
const longQueueLength = 20
/** In a long queue a transfer is shown after it has taken this long: rows of small files would only flash. */
const quickMs = 1000

interface ShownTransfersInput {
  /** How many more waiting transfers the user wants to see. */
  readonly moreWaiting: number
  /** Files of the queue that are done. */
  readonly completedFiles: number
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Selects active and failed transfers, the last few completed ones, and the first waiting ones. Of a long queue only the
 * failed transfers and those that take a while.
 */
export function shownTransfers(
  jobs: readonly TransferJob[],
  { moreWaiting, completedFiles, now }: ShownTransfersInput,
): ShownTransfers {
  const waiting = jobs.filter(({ state }) => state.status === 'waiting')
  const done = jobs.filter(({ state }) => state.status === 'done')
  const isLong = jobs.filter(isActive).length + completedFiles >= longQueueLength
  const maxWaiting = (isLong ? 0 : maxWaitingAtFirst) + moreWaiting
  // A summary of a single row would save no space.
  const isCollapsed = waiting.length > maxWaiting + (isLong ? 0 : 1)
  const collapsed = isCollapsed ? waiting.slice(maxWaiting) : []
  const isQuick = ({ state }: TransferJob) =>
    state.status === 'transferring' && state.startedAt !== undefined && now - state.startedAt < quickMs
  const hidden = new Set([
    ...collapsed,
    ...(isLong ? done : done.slice(0, -maxDone)),
    ...(isLong ? jobs.filter(isQuick) : []),
  ])
  return { rows: jobs.filter((job) => !hidden.has(job)), waiting: collapsed }
}
