import { lastPartOf } from '@sallyport/crypto'
import type { ArchiveState } from './archive/archive-state.ts'
import type { DownloadState, ReceiveProgress } from './download/download-state.ts'
import type { UploadSending, UploadState } from './upload/upload-progress.ts'
import type { QueuedUpload } from './upload/upload-queue.ts'

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

const ends = ['done', 'failed', 'cancelled'] as const

/** The statuses that may follow each one. */
const transitions: Record<JobStatus, readonly JobStatus[]> = {
  waiting: ['preparing', 'transferring', 'saving', 'paused', ...ends],
  // Back to waiting when the server has too many uploads.
  preparing: ['preparing', 'transferring', 'saving', 'paused', 'waiting', ...ends],
  transferring: ['preparing', 'transferring', 'saving', 'paused', 'waiting', ...ends],
  paused: ['preparing', 'transferring', 'saving', 'paused', 'waiting', ...ends],
  saving: ['saving', ...ends],
  done: [],
  failed: ['waiting'],
  cancelled: ['waiting'],
}

export const mayFollow = (before: JobStatus, next: JobStatus): boolean => transitions[before].includes(next)

/** Whether the job is waiting or runs. */
export const isActive = ({ state: { status } }: TransferJob): boolean => mayFollow(status, 'done')

export const mayRetry = ({ state: { status } }: TransferJob): boolean => status === 'failed' || status === 'cancelled'

/** The jobs of uploads whose state has not changed; of thousands in a queue only a few change. */
const uploadJobs = new WeakMap<QueuedUpload, TransferJob>()

export function jobOfUpload(upload: QueuedUpload): TransferJob {
  const { id, name, size, state } = upload
  const job = uploadJobs.get(upload) ?? {
    id,
    kind: 'upload',
    fileName: lastPartOf(name),
    sizeBytes: size,
    state: toJobState(state),
  }
  uploadJobs.set(upload, job)
  return job
}

/** The state of a job whose upload, download or archive is in this state. */
export function toJobState(state: UploadState | DownloadState<unknown> | ArchiveState<unknown>): JobState {
  switch (state.status) {
    case 'sending':
      return { status: sendingStatus(state), ...sendingProgress(state) }
    case 'receiving':
      return { status: state.isPaused ? 'paused' : 'transferring', ...receiveProgress(state) }
    case 'stuck':
      return { status: 'paused', fileName: state.fileName, error: state.error, ...receiveProgress(state) }
    case 'decrypting':
      return { status: 'saving', deliveredBytes: state.decryptedBytes, bytesPerSecond: 0 }
    case 'done':
      return { status: 'done', ...('skipped' in state && { skipped: state.skipped }) }
    default:
      return state
  }
}

const sendingStatus = ({ isPaused, phase }: UploadSending) =>
  isPaused ? 'paused' : phase === 'checking' ? 'preparing' : 'transferring'

const sendingProgress = ({ sentBytes, sealedBytes, bytesPerSecond, startedAt }: UploadSending): JobProgress => ({
  deliveredBytes: sentBytes,
  encryptedBytes: sealedBytes,
  bytesPerSecond,
  startedAt,
})

const receiveProgress = ({ receivedBytes, bytesPerSecond, startedAt, storage }: ReceiveProgress): JobProgress => ({
  deliveredBytes: receivedBytes,
  bytesPerSecond,
  startedAt,
  storage,
})
