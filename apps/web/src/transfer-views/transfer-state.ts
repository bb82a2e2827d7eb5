import { formatBytes, formatPercent, formatSpeed, formatTimeLeft } from '@sallyport/contract/formats'
import type { TransferFigureTexts } from '#/motifs/transfer-row.tsx'

/** What is known of bytes under way. */
interface TransferFigures {
  /** Share of the file that is encrypted, 0 to 1; a download has none. */
  readonly encrypted?: number
  readonly deliveredBytes: number
  /** Smoothed; null until it can be told. */
  readonly bytesPerSecond: number | null
  /** Null until it can be told. */
  readonly secondsLeft: number | null
}

export type TransferState =
  | { readonly phase: 'waiting' }
  | ({
      readonly phase: 'moving'
      /** The file is being compared with what was sent of it before. */
      readonly isChecking?: boolean
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

/** A transfer of neither files nor sessions, with a word for what it does. */
export interface OtherTransfer extends Transfer {
  readonly badge: string
}

/** Share delivered, 0 to 1. An empty file is all there once it is done. */
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

/** Percent, bytes of the total, speed and time left, as far as they are known. */
export function writeFigures(transfer: Transfer): TransferFigureTexts {
  const { state, sizeBytes } = transfer
  if (state.phase === 'waiting') return { bytes: formatBytes(sizeBytes) }
  if (state.phase === 'done') return { percent: '100%', bytes: formatBytes(sizeBytes) }
  if (state.phase !== 'moving') return {}
  return {
    percent: formatPercent(shareDelivered(transfer)),
    bytes: `${formatBytes(state.deliveredBytes)} of ${formatBytes(sizeBytes)}`,
    ...(state.bytesPerSecond === null ? {} : { speed: formatSpeed(state.bytesPerSecond) }),
    ...(state.secondsLeft === null ? {} : { timeLeft: formatTimeLeft(state.secondsLeft) }),
  }
}

/** The same for the ear: "46 percent, about 30 seconds left". */
export function speakProgress(transfer: Transfer): string {
  const { state } = transfer
  if (state.phase === 'failed') return 'failed'
  if (state.phase === 'cancelled') return 'cancelled'
  if (state.phase === 'waiting') return 'waiting'
  const percent = `${Math.floor(shareDelivered(transfer) * 100)} percent`
  if (state.phase === 'paused') return `${percent}, paused`
  if (state.phase !== 'moving' || state.secondsLeft === null) return percent
  return `${percent}, ${spellUnits(formatTimeLeft(state.secondsLeft))}`
}

function spellUnits(timeLeft: string): string {
  return timeLeft.replace(' s ', ' seconds ').replace(' min ', ' minutes ').replace(' h ', ' hours ')
}
