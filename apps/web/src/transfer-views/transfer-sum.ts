import { shareDelivered, shareEncrypted, type Transfer } from './transfer-state.ts'

/** All transfers taken as one. */
export interface TransferSum {
  /** How many are under way or wait. */
  readonly underWay: number
  readonly failed: number
  readonly done: number
  /** Shares of all bytes of those under way, 0 to 1. */
  readonly encrypted: number
  readonly delivered: number
  /** Null until it can be told. */
  readonly bytesPerSecond: number | null
}

export function sumTransfers(transfers: readonly Transfer[]): TransferSum {
  const underWay = transfers.filter(
    ({ state: { phase } }) => phase === 'waiting' || phase === 'moving' || phase === 'paused',
  )
  // What is done a moment ago still counts, so that the share of a queue does not jump back with each file.
  const counted = [...underWay, ...transfers.filter(({ state }) => state.phase === 'done')]
  const total = counted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const shareOf = (share: (transfer: Transfer) => number) =>
    total === 0 ? 0 : counted.reduce((sum, transfer) => sum + share(transfer) * transfer.sizeBytes, 0) / total
  const speeds = underWay.flatMap(({ state }) => (state.phase === 'moving' ? (state.bytesPerSecond ?? []) : []))
  return {
    underWay: underWay.length,
    failed: transfers.filter(({ state }) => state.phase === 'failed').length,
    done: transfers.filter(({ state }) => state.phase === 'done').length,
    encrypted: shareOf(shareEncrypted),
    delivered: shareOf(shareDelivered),
    bytesPerSecond: speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0),
  }
}
