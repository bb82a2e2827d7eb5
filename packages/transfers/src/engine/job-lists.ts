import { lastPartOf } from '@sallyport/crypto'
import type { ArchiveState } from './archive/archive-state.ts'
import { isActive, type JobState, type TransferJob, toJobState } from './job.ts'
import type { JobList } from './job-list.ts'
import type { UploadState } from './upload/upload-progress.ts'
import type { CompletedUploads, QueuedUpload, UploadQueue } from './upload/upload-queue.ts'

/** The jobs of uploads whose state has not changed; of thousands in a queue only a few change. */
const uploadJobs = new WeakMap<QueuedUpload, TransferJob>()

export function jobOfUpload(upload: QueuedUpload): TransferJob {
  const { id, name, size, state } = upload
  const job = uploadJobs.get(upload) ?? {
    id,
    kind: 'upload',
    fileName: lastPartOf(name),
    sizeBytes: size,
    state: uploadState(state),
  }
  uploadJobs.set(upload, job)
  return job
}

function uploadState(state: UploadState): JobState {
  if (state.status !== 'sending') return toJobState(state)
  const { phase, isPaused, sentBytes: deliveredBytes, sealedBytes: encryptedBytes, bytesPerSecond, startedAt } = state
  const status = isPaused ? 'paused' : phase === 'checking' ? 'preparing' : 'transferring'
  return { status, deliveredBytes, encryptedBytes, bytesPerSecond, startedAt }
}

/** The state of a job whose archive is in this state. */
export function archiveJobState(state: ArchiveState<unknown>): JobState {
  if (state.status === 'stuck') return { ...state, status: 'paused', deliveredBytes: state.receivedBytes }
  return state.status === 'done' ? { status: 'done', skipped: state.skipped } : toJobState(state)
}

/** Completed jobs of a list, also those that have left it since it was idle. */
export function completedOf(list: Pick<JobList, 'current' | 'completed'>): CompletedUploads {
  if (list.completed) return list.completed()
  const done = list.current().filter(({ state }) => state.status === 'done')
  return { files: done.length, bytes: done.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

const noneCompleted: CompletedUploads = { files: 0, bytes: 0 }

/** The uploads of a queue as jobs. */
export function listUploadJobs(queue: UploadQueue): JobList {
  const { subscribe, cancel, retry, dismiss } = queue
  const current = mapped(queue.current, (uploads) => uploads.map(jobOfUpload))
  // Once the queue is idle its completed uploads do not count towards the total of other transfers.
  const isIdle = () => !current().some((job) => isActive(job) || job.state.status === 'done')
  const completed = () => (isIdle() ? noneCompleted : queue.completed())
  return { current, subscribe, completed, cancel, retry, dismiss }
}

/** One list of all jobs of several lists. */
export function joinJobLists(...lists: readonly JobList[]): JobList {
  let parts: readonly (readonly TransferJob[])[] = []
  let joined: readonly TransferJob[] = []
  const onEach = (command: 'cancel' | 'retry' | 'skip' | 'dismiss') => (id: string) => {
    for (const list of lists) list[command]?.(id)
  }
  return {
    current() {
      const latest = lists.map((list) => list.current())
      if (parts.length === 0 || latest.some((part, index) => part !== parts[index])) {
        parts = latest
        const filled = latest.filter(({ length }) => length > 0)
        // Of a single list with thousands of jobs no copy is made.
        joined = filled.length === 1 && filled[0] ? filled[0] : filled.flat()
      }
      return joined
    },
    subscribe(listener) {
      const stops = lists.map((list) => list.subscribe(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    completed() {
      const all = lists.map(completedOf)
      return {
        files: all.reduce((sum, { files }) => sum + files, 0),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    cancel: onEach('cancel'),
    retry: onEach('retry'),
    skip: onEach('skip'),
    dismiss: onEach('dismiss'),
  }
}

/** Cancels every active job, from the last to the first, so that no waiting one starts in between. */
export function cancelAll(list: JobList): void {
  for (const job of list.current().toReversed()) if (isActive(job)) list.cancel(job.id)
}

export function retryFailed(list: JobList): void {
  for (const { id, state } of list.current()) if (state.status === 'failed') list.retry(id)
}

/** Cancels and removes all jobs. */
export function removeAll(list: JobList): void {
  cancelAll(list)
  for (const { id } of list.current()) list.dismiss(id)
}

/** Converts a value again only after it has changed. */
function mapped<Value, Result>(current: () => Value, convert: (value: Value) => Result): () => Result {
  let latest: { readonly value: Value; readonly result: Result } | null = null
  return () => {
    const value = current()
    if (latest?.value !== value) latest = { value, result: convert(value) }
    return latest.result
  }
}
