import { ApiError, NetworkError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import { transferLimits } from '@sallyport/contract/limits'
import type { TransferJob } from '../engine/job.ts'
import type { JobList } from '../engine/job-list.ts'
import { removeAll } from '../engine/job-lists.ts'
import type { UploadQueue } from '../engine/upload/upload-queue.ts'

/** Calls back once for each API error that a transfer fails with. */
export function onTransferRejected(
  jobs: Observable<readonly Pick<TransferJob, 'state'>[]>,
  onError: (error: ApiError) => void,
): () => void {
  const reported = new WeakSet<ApiError>()
  return jobs.subscribe(() => {
    for (const { state } of jobs.current()) {
      const error = 'error' in state ? state.error : undefined
      if (!(error instanceof ApiError) || reported.has(error)) continue
      reported.add(error)
      onError(error)
    }
  })
}

export interface UploadObserver {
  /** Called with the ids of the files that uploads have become since the last call. */
  onUploaded(fileIds: readonly string[]): void
  /** Called when an upload that did not complete leaves the queue: the server may have stored a part of it. */
  onDiscarded(): void
}

/** Observes how the uploads of a queue end. */
export function observeUploads(uploads: Pick<UploadQueue, 'current' | 'subscribe'>, observer: UploadObserver) {
  let completed = new Set<string>()
  let incomplete = new Set<string>()

  /** Creates no list of the thousands that may wait. */
  function update(): void {
    const fileIds: string[] = []
    const completedBefore = completed
    const incompleteCount = incomplete.size
    let listedAgain = 0
    completed = new Set()
    for (const { id, state } of uploads.current()) {
      if (incomplete.has(id)) listedAgain += 1
      if (state.status !== 'done') continue
      completed.add(id)
      if (!completedBefore.has(id)) fileIds.push(state.fileId)
    }
    const isAnyDiscarded = listedAgain < incompleteCount
    if (isAnyDiscarded) incomplete = new Set()
    for (const { id } of uploads.current()) {
      if (completed.has(id)) incomplete.delete(id)
      else incomplete.add(id)
    }
    if (fileIds.length > 0) observer.onUploaded(fileIds)
    if (isAnyDiscarded) observer.onDiscarded()
  }

  update()
  return uploads.subscribe(update)
}

/** Retries transfers that failed with a network error once the server is back. */
export function retryWhenOnline(jobs: JobList, connectivity: Observable<boolean>): () => void {
  return connectivity.subscribe(() => {
    if (!connectivity.current()) return
    for (const { id, state } of jobs.current()) {
      if (state.status === 'failed' && isNetworkFailure(state.error)) jobs.retry(id)
    }
  })
}

const isNetworkFailure = (error: Error | undefined): boolean =>
  error instanceof NetworkError || error?.cause instanceof NetworkError

/** Removes finished downloads from the list after "Saved" was shown for a while, and cancelled ones too. */
export function clearFinished(
  downloads: Observable<readonly { readonly id: string; readonly state: { readonly status: string } }[]> &
    Pick<JobList, 'dismiss'>,
): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function update(): void {
    for (const { id, state } of downloads.current()) {
      if (timers.has(id) || (state.status !== 'done' && state.status !== 'cancelled')) continue
      const shownMs = state.status === 'done' ? transferLimits.uploadCardClearsAfterMs : transferLimits.cancelMessageMs
      timers.set(
        id,
        setTimeout(() => {
          timers.delete(id)
          downloads.dismiss(id)
        }, shownMs),
      )
    }
  }

  update()
  const unsubscribe = downloads.subscribe(update)
  return () => {
    unsubscribe()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}

/** Retries, clears and, when the returned function is called, cancels the jobs of a list. */
export function watchJobs(list: JobList, connectivity: Observable<boolean>): () => void {
  const stops = [clearFinished(list), retryWhenOnline(list, connectivity), () => removeAll(list)]
  return () => {
    for (const stop of stops) stop()
  }
}
