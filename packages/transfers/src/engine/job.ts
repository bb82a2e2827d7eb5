import type { DownloadState } from './download/download-state.ts'
import { hasEnded } from './transfer.ts'
import type { UploadEnd } from './upload/upload-progress.ts'

/** A `save` is a download into the page, for an app on this device. The last two are directions of a portal. */
export type TransferKind = 'upload' | 'download' | 'save' | 'archive' | 'sending' | 'receiving'

/** One transfer of any kind: what lists, totals, indicators and announcements read. */
export interface TransferJob {
  /** Unique among jobs of this kind. */
  readonly id: string
  readonly kind: TransferKind
  /** Without folders. */
  readonly fileName: string
  /** Plain bytes; 0 until they are known. */
  readonly sizeBytes: number
  readonly state: JobState
}

export interface JobProgress {
  readonly deliveredBytes: number
  /** Plain bytes that are encrypted; only of an upload. */
  readonly encryptedBytes?: number
  /** Smoothed; 0 until it is known. */
  readonly bytesPerSecond: number
  /** Epoch milliseconds; absent if it is not known. */
  readonly startedAt?: number
  /** `memory` where the browser has no storage to hold what arrives. */
  readonly storage?: 'disk' | 'memory'
}

export type JobState =
  | { readonly status: 'waiting' | 'cancelled' }
  /** `preparing` before bytes move, `saving` after all have moved and before the transfer is complete. */
  | ({ readonly status: 'preparing' | 'transferring' | 'saving' } & JobProgress)
  /** Without an error the server is away; with one the user has to retry or skip this file of an archive. */
  | ({ readonly status: 'paused'; readonly fileName?: string; readonly error?: Error } & JobProgress)
  /** `skipped` names files that the user left out of an archive. */
  | { readonly status: 'done'; readonly skipped?: readonly string[] }
  /** Without an error the reason is unknown. */
  | { readonly status: 'failed'; readonly error?: Error | undefined; readonly deliveredBytes?: number }

export type JobStatus = JobState['status']

/** Whether a job may go from one status to the next one. */
export function mayFollow(before: JobStatus, next: JobStatus): boolean {
  if (before === 'done') return false
  if (before === 'failed' || before === 'cancelled') return next === 'waiting'
  if (before === 'saving') return next === before || hasEnded({ status: next })
  return next !== 'waiting'
}

/** Whether the job is waiting or runs. */
export const isActive = ({ state }: TransferJob): boolean => !hasEnded(state)

/** The state of a job whose download is in this state, or whose upload has ended so. */
export function toJobState(state: DownloadState<unknown> | UploadEnd): JobState {
  if (state.status === 'receiving')
    return { ...state, status: state.isPaused ? 'paused' : 'transferring', deliveredBytes: state.receivedBytes }
  if (state.status !== 'decrypting') return state
  return { status: 'saving', deliveredBytes: state.decryptedBytes, bytesPerSecond: 0 }
}
