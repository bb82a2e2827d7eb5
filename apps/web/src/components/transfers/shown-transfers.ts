import { isActive, type TransferJob } from '@sallyport/transfers/engine/job'

/** The part of a long queue that a card shows. Thousands of rows would be slow to render. */
export interface ShownTransfers {
  readonly rows: readonly TransferJob[]
  /** Waiting transfers that are not among the rows, in number and plain bytes. */
  readonly waiting: { readonly files: number; readonly bytes: number }
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
  const counts = { waiting: 0, done: 0, active: 0 }
  for (const job of jobs) {
    const { status } = job.state
    if (status === 'waiting' || status === 'done') counts[status] += 1
    if (isActive(job)) counts.active += 1
  }
  const isLong = counts.active + completedFiles >= longQueueLength
  const maxWaiting = (isLong ? 0 : maxWaitingAtFirst) + moreWaiting
  // A summary of a single row would save no space.
  const lastWaiting = counts.waiting > maxWaiting + (isLong ? 0 : 1) ? maxWaiting : counts.waiting
  const firstDone = isLong ? counts.done : counts.done - maxDone
  const isQuick = ({ state }: TransferJob) =>
    state.status === 'transferring' && state.startedAt !== undefined && now - state.startedAt < quickMs

  const rows: TransferJob[] = []
  const waiting = { files: 0, bytes: 0 }
  const seen = { waiting: 0, done: 0 }
  for (const job of jobs) {
    const { status } = job.state
    const position = status === 'waiting' || status === 'done' ? seen[status]++ : 0
    if (status === 'waiting' && position >= lastWaiting) {
      waiting.files += 1
      waiting.bytes += job.sizeBytes
    } else if (status === 'done' ? position >= firstDone : !(isLong && isQuick(job))) rows.push(job)
  }
  return { rows, waiting }
}
