export type DownloadState<Saved> = { readonly status: 'waiting' } | DownloadReceiving | DownloadEnd<Saved>

export interface DownloadReceiving {
  readonly status: 'receiving'
  /** Plain bytes that are verified and written. */
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** `memory` where the browser has no better place to put the file while it arrives. */
  readonly place: 'disk' | 'memory'
}

export type DownloadEnd<Saved> =
  | { readonly status: 'done'; readonly saved: Saved }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }
