import type { TransferEnd } from '../transfer.ts'

export interface ReceiveProgress {
  /** The server is away; the transfer continues when it is back. */
  readonly isPaused: boolean
  /** Plain bytes that are verified and written. */
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** `memory` where the browser has no storage to hold what arrives. */
  readonly storage: 'disk' | 'memory'
}

/** What a download and an archive have in common until they end. */
export type ReceiveState =
  | { readonly status: 'waiting' }
  | ({ readonly status: 'receiving' } & ReceiveProgress)
  /** Every byte has arrived, and what is staged is decrypted before it is saved. */
  | { readonly status: 'decrypting'; readonly decryptedBytes: number; readonly totalBytes: number }

export type DownloadState<Saved> = ReceiveState | DownloadEnd<Saved>

export type DownloadEnd<Saved> = TransferEnd<{ readonly saved: Saved }>

/** Returns a callback that sums up decrypted bytes and publishes them. */
export function countDecrypted(
  totalBytes: number,
  setState: (state: Extract<ReceiveState, { status: 'decrypting' }>) => void,
): (plainBytes: number) => void {
  let decryptedBytes = 0
  return (plainBytes) => {
    decryptedBytes += plainBytes
    setState({ status: 'decrypting', decryptedBytes, totalBytes })
  }
}
