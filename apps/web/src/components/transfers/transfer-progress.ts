import { systemClock } from '@sallyport/client/clock'
import { remainingSeconds } from '@sallyport/client/throughput'
import { formatBytes, formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import type { TransferJob } from '@sallyport/transfers/engine/job'
import type { TransferFigureTexts } from '#/components/brand/transfer-row.tsx'
import { formatMoved, formatTimeLeft } from '#/strings/remaining-time.ts'

/** Time left is unreliable until a transfer has run for this long. */
export const estimateAfterMs = 3000

/** The delivered share, 0 to 1. An empty file is complete once it is done. */
export function shareDelivered({ state, sizeBytes }: TransferJob): number {
  if (state.status === 'done') return 1
  if (!('deliveredBytes' in state) || sizeBytes === 0) return 0
  return Math.min(1, (state.deliveredBytes ?? 0) / sizeBytes)
}

/** Null until it can be estimated. */
export function secondsLeftOf({ state, sizeBytes }: TransferJob, now: number): number | null {
  if (state.status !== 'transferring' && state.status !== 'preparing') return null
  const { deliveredBytes, bytesPerSecond, startedAt = 0 } = state
  return now - startedAt >= estimateAfterMs ? remainingSeconds(sizeBytes - deliveredBytes, bytesPerSecond) : null
}

/** Formats percent, bytes, speed and time left, as far as they are known. */
export function formatFigures(job: TransferJob, now = systemClock.now()): TransferFigureTexts {
  const { state, sizeBytes } = job
  const size = sizeBytes === 0 ? {} : { bytes: formatBytes(sizeBytes) }
  if (state.status === 'waiting') return size
  if (state.status === 'done') return { percent: '100%', ...size }
  if (!('bytesPerSecond' in state)) return {}
  const secondsLeft = secondsLeftOf(job, now)
  return {
    percent: formatPercent(shareDelivered(job)),
    bytes: formatMoved(state.deliveredBytes, sizeBytes),
    ...(state.status !== 'paused' && state.bytesPerSecond > 0 && { speed: formatSpeed(state.bytesPerSecond) }),
    ...(secondsLeft !== null && { timeLeft: formatTimeLeft(secondsLeft) }),
  }
}

/** Whether a large file is held in memory, because the browser offers no other storage. */
export const isMemoryHeavy = ({ state, sizeBytes }: TransferJob): boolean =>
  'storage' in state && state.storage === 'memory' && sizeBytes > largeDownloadBytes
