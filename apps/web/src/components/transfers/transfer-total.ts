import { systemClock } from '@sallyport/client/clock'
import { remainingSeconds } from '@sallyport/client/throughput'
import { isActive, type TransferJob } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { completedOf } from '@sallyport/transfers/engine/job-lists'
import { spellTimeLeft } from '#/strings/durations.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { estimateAfterMs, secondsLeftOf, shareDelivered } from './transfer-progress.ts'

/** The encrypted share, 0 to 1; of a transfer that does not encrypt the delivered one. */
export function shareEncrypted(job: TransferJob): number {
  const { state, sizeBytes } = job
  if (!('encryptedBytes' in state) || state.encryptedBytes === undefined) return shareDelivered(job)
  return sizeBytes === 0 ? 1 : state.encryptedBytes / sizeBytes
}

/** Describes the progress for screen readers: "46 percent, about 30 seconds left". */
export function describeProgress(job: TransferJob, now = systemClock.now()): string {
  const { status } = job.state
  if (status === 'failed' || status === 'cancelled' || status === 'waiting') return transferStrings.spokenStates[status]
  const percent = Math.floor(shareDelivered(job) * 100)
  if (status === 'paused') return transferStrings.percentPaused(percent)
  const secondsLeft = secondsLeftOf(job, now)
  return secondsLeft === null
    ? transferStrings.percent(percent)
    : `${transferStrings.percent(percent)}, ${spellTimeLeft(secondsLeft)}`
}

/** The total of several transfers. */
export interface TransferTotal {
  /** Transfers that wait or run. */
  readonly active: number
  readonly failed: number
  readonly done: number
  /** Bytes of the active and the completed transfers. */
  readonly sizeBytes: number
  readonly deliveredBytes: number
  /** The shares of these bytes, 0 to 1. */
  readonly encrypted: number
  readonly delivered: number
  /** 0 until it is known. */
  readonly bytesPerSecond: number
  /** Null until it can be estimated. */
  readonly secondsLeft: number | null
}

/**
 * Completed transfers count too, also those that have left the list, so that the share of a queue never decreases. One
 * pass without further lists, because thousands of transfers are summed up while they run.
 */
export function sumTransfers(list: Pick<JobList, 'current' | 'completed'>, now = systemClock.now()): TransferTotal {
  const completed = completedOf(list)
  let { bytes: sizeBytes, bytes: deliveredBytes, bytes: encryptedBytes } = completed
  let [active, failed, bytesPerSecond, isEarly] = [0, 0, 0, true]
  for (const job of list.current()) {
    const { state } = job
    if (state.status === 'failed') failed += 1
    if (!isActive(job)) continue
    active += 1
    sizeBytes += job.sizeBytes
    deliveredBytes += shareDelivered(job) * job.sizeBytes
    encryptedBytes += shareEncrypted(job) * job.sizeBytes
    if (state.status === 'transferring') bytesPerSecond += state.bytesPerSecond
    if ('startedAt' in state && now - (state.startedAt ?? 0) >= estimateAfterMs) isEarly = false
  }
  const files = completed.files + active
  const shareOf = (bytes: number) => (sizeBytes === 0 ? completed.files / Math.max(1, files) : bytes / sizeBytes)
  return {
    active,
    failed,
    done: completed.files,
    sizeBytes,
    deliveredBytes,
    encrypted: shareOf(encryptedBytes),
    delivered: shareOf(deliveredBytes),
    bytesPerSecond,
    secondsLeft: isEarly ? null : remainingSeconds(sizeBytes - deliveredBytes, bytesPerSecond),
  }
}
