import type { Observable } from '../observable.ts'

/** True while the network is available. */
export type Connectivity = Observable<boolean>

export const alwaysOnline: Connectivity = { current: () => true, subscribe: () => () => undefined }

/** Resolves when online; true if it had to wait. Rejects with the signal's reason. */
export async function waitUntilOnline(connectivity: Connectivity, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  if (connectivity.current()) return false
  const online = Promise.withResolvers<void>()
  const unsubscribe = connectivity.subscribe(() => {
    if (connectivity.current()) online.resolve()
  })
  const onAbort = () => online.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    await online.promise
    return true
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', onAbort)
  }
}

/** Runs an attempt while online. An attempt that is interrupted by going offline is repeated and does not count. */
export async function runWhileOnline<T>(
  connectivity: Connectivity,
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    await waitUntilOnline(connectivity, signal)
    const offline = new AbortController()
    const unsubscribe = connectivity.subscribe(() => {
      if (!connectivity.current()) offline.abort(new DOMException('The network connection was lost', 'AbortError'))
    })
    try {
      return await attempt(AbortSignal.any([signal, offline.signal]))
    } catch (error) {
      if (signal.aborted || !offline.signal.aborted) throw error
    } finally {
      unsubscribe()
    }
  }
}
