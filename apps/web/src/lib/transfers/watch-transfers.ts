import { ApiError, NetworkError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { transferLimits } from '@sallyport/contract/limits'

interface TransferEntry {
  readonly state: { readonly status: string; readonly error?: Error }
}

/** Calls back once for each API error that a transfer fails with. */
export function onTransferRejected(
  stores: readonly Observable<readonly TransferEntry[]>[],
  onError: (error: ApiError) => void,
): () => void {
  const reported = new WeakSet<ApiError>()
  const stops = stores.map((store) =>
    store.subscribe(() => {
      for (const { state } of store.current()) {
        if (!(state.error instanceof ApiError) || reported.has(state.error)) continue
        reported.add(state.error)
        onError(state.error)
      }
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Any list of cancellable transfers. */
interface TransferList {
  current(): readonly { readonly id: string }[]
  cancel(id: string): void
  dismiss(id: string): void
}

/** Cancels and removes all transfers of a user who signs out. */
export function stopAll(transfers: TransferList): void {
  for (const { id } of transfers.current()) {
    transfers.cancel(id)
    transfers.dismiss(id)
  }
}

/**
 * Calls back when an upload has completed, and when one leaves the queue, because the server may have stored a part of
 * it.
 */
export function observeUploads(uploads: UploadQueue, onChange: () => void): () => void {
  const completed = new Set<string>()
  let previousCount = uploads.current().length
  return uploads.subscribe(() => {
    const queued = uploads.current()
    const completedBefore = completed.size
    for (const { id, state } of queued) if (state.status === 'done') completed.add(id)
    if (completed.size > completedBefore || queued.length < previousCount) onChange()
    previousCount = queued.length
  })
}

interface RetriableTransfers extends Observable<readonly (TransferEntry & { readonly id: string })[]> {
  retry(id: string): void
}

/** Retries transfers that failed with a network error once the server is back. */
export function retryWhenOnline(stores: readonly RetriableTransfers[], connectivity: Observable<boolean>): () => void {
  function retryAll(): void {
    for (const store of stores) {
      for (const { id, state } of store.current()) if (isNetworkFailure(state.error)) store.retry(id)
    }
  }
  return connectivity.subscribe(() => {
    if (connectivity.current()) retryAll()
  })
}

const isNetworkFailure = (error: Error | undefined): boolean =>
  error instanceof NetworkError || error?.cause instanceof NetworkError

/** Removes finished downloads from the list after "Saved" was shown for a while, and cancelled ones too. */
export function clearFinished(
  downloads: Observable<readonly (TransferEntry & { readonly id: string })[]> & Pick<TransferList, 'dismiss'>,
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
