import { shareDelivered, shareEncrypted, type Transfer } from './transfer-state.ts'

/** The aggregate of all transfers. */
export interface TransferSum {
  /** The number of active and waiting transfers. */
  readonly active: number
  readonly failed: number
  readonly done: number
  /** The shares of all bytes, 0 to 1. */
  readonly encrypted: number
  readonly delivered: number
  /** Null until it is known. */
  readonly bytesPerSecond: number | null
}

export function sumTransfers(transfers: readonly Transfer[]): TransferSum {
  const active = transfers.filter(
    ({ state: { phase } }) => phase === 'waiting' || phase === 'moving' || phase === 'paused',
  )
  // Completed files still count, so that the share of a queue does not drop whenever one completes.
  const counted = [...active, ...transfers.filter(({ state }) => state.phase === 'done')]
  const total = counted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const shareOf = (share: (transfer: Transfer) => number) =>
    total === 0 ? 0 : counted.reduce((sum, transfer) => sum + share(transfer) * transfer.sizeBytes, 0) / total
  const speeds = active.flatMap(({ state }) => (state.phase === 'moving' ? (state.bytesPerSecond ?? []) : []))
  return {
    active: active.length,
    failed: transfers.filter(({ state }) => state.phase === 'failed').length,
    done: transfers.filter(({ state }) => state.phase === 'done').length,
    encrypted: shareOf(shareEncrypted),
    delivered: shareOf(shareDelivered),
    bytesPerSecond: speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0),
  }
}
