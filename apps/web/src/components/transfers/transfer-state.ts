import { formatBytes, formatPercent, formatSpeed } from '@sallyport/contract/formats'
import type { TransferFigureTexts } from '#/components/brand/transfer-row.tsx'
import { spellTimeLeft } from '#/strings/durations.ts'
import { formatTimeLeft } from '#/strings/remaining-time.ts'
import { transferStrings } from '#/strings/transfers.ts'

/** The progress of an active transfer. */
interface TransferFigures {
  /** The encrypted share of the file, 0 to 1; absent for a download. */
  readonly encrypted?: number
  readonly deliveredBytes: number
  /** Smoothed; null until it is known. */
  readonly bytesPerSecond: number | null
  /** Null until it is known. */
  readonly secondsLeft: number | null
  /** Epoch milliseconds; absent where it does not matter. */
  readonly startedAt?: number
}

export type TransferState =
  | { readonly phase: 'waiting' }
  | ({
      readonly phase: 'moving'
      /** Whether the file is being compared with what was sent before. */
      readonly isChecking?: boolean
      /** The file has arrived and is decrypted on the disk; `deliveredBytes` counts what is decrypted. */
      readonly isDecrypting?: boolean
    } & TransferFigures)
  | ({ readonly phase: 'paused'; readonly reason: string } & TransferFigures)
  | { readonly phase: 'done' }
  | { readonly phase: 'cancelled' }
  | { readonly phase: 'failed'; readonly message: string; readonly deliveredBytes: number }

export interface Transfer {
  readonly id: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly state: TransferState
}

/** A transfer that is not in a file list, such as one of a portal, with a badge text. */
export interface OtherTransfer extends Transfer {
  readonly badge: string
}

/** The delivered share, 0 to 1. An empty file is complete once it is done. */
export function shareDelivered({ state, sizeBytes }: Transfer): number {
  if (state.phase === 'done') return 1
  if (!('deliveredBytes' in state) || sizeBytes === 0) return 0
  return Math.min(1, state.deliveredBytes / sizeBytes)
}

export function shareEncrypted(transfer: Transfer): number {
  const { state } = transfer
  if (state.phase === 'done') return 1
  return 'encrypted' in state ? (state.encrypted ?? 0) : shareDelivered(transfer)
}

/** Formats percent, bytes, speed and time left, as far as they are known. */
export function formatFigures(transfer: Transfer): TransferFigureTexts {
  const { state, sizeBytes } = transfer
  if (state.phase === 'waiting') return { bytes: formatBytes(sizeBytes) }
  if (state.phase === 'done') return { percent: '100%', bytes: formatBytes(sizeBytes) }
  if (state.phase !== 'moving') return {}
  return {
    percent: formatPercent(shareDelivered(transfer)),
    bytes: transferStrings.figures(formatBytes(state.deliveredBytes), formatBytes(sizeBytes)),
    ...(state.bytesPerSecond === null ? {} : { speed: formatSpeed(state.bytesPerSecond) }),
    ...(state.secondsLeft === null ? {} : { timeLeft: formatTimeLeft(state.secondsLeft) }),
  }
}

/** Describes the progress for screen readers: "46 percent, about 30 seconds left". */
export function describeProgress(transfer: Transfer): string {
  const { state } = transfer
  if (state.phase === 'failed' || state.phase === 'cancelled' || state.phase === 'waiting')
    return transferStrings.spokenStates[state.phase]
  const percent = Math.floor(shareDelivered(transfer) * 100)
  if (state.phase === 'paused') return transferStrings.percentPaused(percent)
  if (state.phase !== 'moving' || state.secondsLeft === null) return transferStrings.percent(percent)
  return `${transferStrings.percent(percent)}, ${spellTimeLeft(state.secondsLeft)}`
}
