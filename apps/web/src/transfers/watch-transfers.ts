import { ApiError, NetworkError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { transferLimits } from '@sallyport/contract/limits'

interface Ended {
  readonly state: { readonly status: string; readonly error?: Error }
}

/** Calls back with each refusal that a transfer newly fails with; once, however long it stays in its list. */
export function whenRefused(
  stores: readonly Observable<readonly Ended[]>[],
  callBack: (refusal: ApiError) => void,
): () => void {
  const told = new WeakSet<ApiError>()
  const stops = stores.map((store) =>
    store.subscribe(() => {
      for (const { state } of store.current()) {
        if (!(state.error instanceof ApiError) || told.has(state.error)) continue
        told.add(state.error)
        callBack(state.error)
      }
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Any list of transfers that can be stopped. */
interface Transfers {
  current(): readonly { readonly id: string }[]
  cancel(id: string): void
  dismiss(id: string): void
}

/** What is under way for somebody who leaves must not go on. */
export function stopAll(transfers: Transfers): void {
  for (const { id } of transfers.current()) {
    transfers.cancel(id)
    transfers.dismiss(id)
  }
}

/** Calls back each time an upload has arrived, and when one leaves the queue, since the server may have had a part of it. */
export function whenUploaded(uploads: UploadQueue, callBack: () => void): () => void {
  const arrived = new Set<string>()
  let queuedBefore = uploads.current().length
  return uploads.subscribe(() => {
    const queued = uploads.current()
    const arrivedBefore = arrived.size
    for (const { id, state } of queued) if (state.status === 'done') arrived.add(id)
    if (arrived.size > arrivedBefore || queued.length < queuedBefore) callBack()
    queuedBefore = queued.length
  })
}

interface Retried extends Observable<readonly (Ended & { readonly id: string })[]> {
  retry(id: string): void
}

/** Tries again, once the network is back, whatever failed for want of it. */
export function retryWhenOnline(stores: readonly Retried[]): () => void {
  const listening = new AbortController()
  function retryAll(): void {
    for (const store of stores) {
      for (const { id, state } of store.current()) if (isNetworkFailure(state.error)) store.retry(id)
    }
  }
  addEventListener('online', retryAll, { signal: listening.signal })
  return () => listening.abort()
}

const isNetworkFailure = (error: Error | undefined): boolean =>
  error instanceof NetworkError || error?.cause instanceof NetworkError

/** Takes finished downloads out of the list once "Saved" has been read, and cancelled ones too. */
export function clearFinished(
  downloads: Observable<readonly (Ended & { readonly id: string })[]> & Pick<Transfers, 'dismiss'>,
): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function look(): void {
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

  look()
  const unsubscribe = downloads.subscribe(look)
  return () => {
    unsubscribe()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
