interface ArchiveProgress {
  /** Plain bytes that are verified and written. */
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** `memory` where the browser has no better place to put the archive while it arrives. */
  readonly place: 'disk' | 'memory'
}

export type ArchiveState<Saved> =
  | { readonly status: 'waiting' }
  | ({ readonly status: 'receiving' } & ArchiveProgress)
  /** One file cannot be had; somebody has to say whether to try it again, go on without it or stop. */
  | ({ readonly status: 'stuck'; readonly fileName: string; readonly error: Error } & ArchiveProgress)
  | ArchiveEnd<Saved>

export type ArchiveEnd<Saved> =
  | {
      readonly status: 'done'
      readonly saved: Saved
      /** Names of the files somebody chose to go on without. */
      readonly leftOut: readonly string[]
    }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }
