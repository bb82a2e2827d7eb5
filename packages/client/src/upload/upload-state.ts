export type UploadState = { readonly status: 'waiting' } | UploadSending | UploadEnd

export interface UploadSending {
  readonly status: 'sending'
  /**
   * `checking` while a file is compared with what was sent of it before; `encrypted` from the moment the last record is
   * sealed, while the rest still leaves.
   */
  readonly phase: 'checking' | 'encrypting' | 'encrypted'
  /** Nothing can be sent at the moment; it goes on by itself. */
  readonly isPaused: boolean
  /** Plain bytes of the file that are sealed. */
  readonly sealedBytes: number
  /** Plain bytes of the file that have left, sealed. Never goes back, though a chunk may be sent again. */
  readonly sentBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export type UploadEnd =
  | { readonly status: 'done'; readonly fileId: string }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: Error }
