import type { TransferEnd } from '../transfer.ts'

export type UploadState = { readonly status: 'waiting' } | UploadSending | UploadEnd

export interface UploadSending {
  readonly status: 'sending'
  /**
   * `checking` while a resumed file is compared with what was sent of it; `encrypted` after the last record is sealed,
   * while sending continues.
   */
  readonly phase: 'checking' | 'encrypting' | 'encrypted'
  /** The server is away; the upload continues when it is back. */
  readonly isPaused: boolean
  /** Plain bytes of the file that are sealed. */
  readonly sealedBytes: number
  /** Plain bytes of the file that have been sent. Never decreases, although a chunk may be sent again. */
  readonly sentBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export type UploadEnd = TransferEnd<{ readonly fileId: string }>
