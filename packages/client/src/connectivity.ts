import { raceAbort } from './clock.ts'
import { ApiError, NetworkError } from './errors.ts'
import { type Observable, waitUntil } from './observable.ts'

/** True while the server can be reached. */
export interface Connectivity extends Observable<boolean> {
  /** Asks the server for a sign of life after a request has failed. If it gives none, this is false until it does. */
  readonly verify: () => Promise<boolean>
}

export const alwaysOnline: Connectivity = {
  current: () => true,
  subscribe: () => () => undefined,
  verify: async () => true,
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether a request failed in a way that a server that is away causes: no answer, or a proxy's answer in its place. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === null && gatewayStatuses.has(error.status)
  return error instanceof NetworkError || (error instanceof Error && error.cause instanceof NetworkError)
}

/** After a failed attempt: waits until the server is back if it is away. True if it was away; rejects when aborted. */
export async function waitIfAway(connectivity: Connectivity, error: unknown, signal: AbortSignal): Promise<boolean> {
  if (!isUnanswered(error) || (await raceAbort(connectivity.verify(), signal))) return false
  await waitUntilOnline(connectivity, signal)
  return true
}

/** Resolves when online; true if it had to wait. Rejects with the signal's reason. */
export async function waitUntilOnline(connectivity: Connectivity, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  if (connectivity.current()) return false
  await waitUntil(connectivity, connectivity.current, signal)
  return true
}

/**
 * Runs an attempt while online. An attempt that fails because the server is away is repeated and does not count. A
 * server that is restarted may be back before it is asked: an attempt without an answer is made `maxAttempts` times.
 */
export async function runWhileOnline<T>(
  connectivity: Connectivity,
  signal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
  maxAttempts = 3,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    await waitUntilOnline(connectivity, signal)
    const offline = new AbortController()
    const unsubscribe = connectivity.subscribe(() => {
      if (!connectivity.current()) offline.abort(new DOMException('The network connection was lost', 'AbortError'))
    })
    try {
      return await attempt(AbortSignal.any([signal, offline.signal]))
    } catch (error) {
      if (signal.aborted) throw error
      if (offline.signal.aborted || (await waitIfAway(connectivity, error, signal))) attempts = 0
      else if (!isUnanswered(error) || attempts === maxAttempts) throw error
    } finally {
      unsubscribe()
    }
  }
}
