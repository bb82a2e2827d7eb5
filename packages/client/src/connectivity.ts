import { ignore } from '@sallyport/contract/ignore'
import { system } from '@sallyport/contract/system'
import type { Call } from './call.ts'
import { type Clock, raceAbort, systemClock } from './clock.ts'
import { ApiError, NetworkError } from './errors.ts'
import { createSubject, type Observable } from './observable.ts'

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

export interface MonitoredConnectivity extends Connectivity {
  /** The network is said to be away: asks until the server answers, because it may run on this machine. */
  readonly suspect: () => void
  /** The network is said to be back: asks at once. */
  readonly retryNow: () => void
}

interface ConnectivityDeps {
  readonly call: Call
  readonly clock?: Clock
  /** A number from 0 to 1. */
  readonly random?: () => number
}

const probeTimeoutMs = 3000
const firstPauseMs = 500
const maxPauseMs = 8000

/**
 * Watches whether the server answers. Between two questions to a server that is away it pauses for 0.5 to 8 seconds,
 * twice as long each time and half of that by chance, so that the clients of a server do not all come back at once.
 */
export function createConnectivity({
  call,
  clock = systemClock,
  random = Math.random,
}: ConnectivityDeps): MonitoredConnectivity {
  const isReachable = createSubject(true)
  let verification: Promise<boolean> | null = null
  let probing: AbortController | null = null

  const isAnswering = (signal?: AbortSignal): Promise<boolean> =>
    call(system.checkConnection, {}, { signal, timeoutMs: probeTimeoutMs }).then(
      () => true,
      (error) => {
        ignore(error, 'the server is away')
        return false
      },
    )

  async function probeUntilReachable(signal: AbortSignal): Promise<void> {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      if (await isAnswering(signal)) {
        if (!signal.aborted) end()
        return
      }
      await clock.wait(pauseMs * (0.5 + random() / 2), signal).catch((error) => ignore(error, 'it was stopped'))
    }
  }

  function end(): void {
    probing = null
    isReachable.set(true)
  }

  function start(): void {
    probing?.abort()
    probing = new AbortController()
    void probeUntilReachable(probing.signal)
    if (isReachable.current()) isReachable.set(false)
  }

  async function verifyOnce(): Promise<boolean> {
    const isThere = await isAnswering()
    if (!isThere && probing === null) start()
    return isReachable.current()
  }

  return {
    current: isReachable.current,
    subscribe: isReachable.subscribe,
    async verify() {
      if (!isReachable.current()) return false
      verification ??= verifyOnce().finally(() => {
        verification = null
      })
      return verification
    },
    suspect: start,
    retryNow: () => {
      if (!isReachable.current()) start()
    },
  }
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

/** Runs an attempt while online. An attempt that fails because the server is away is repeated and does not count. */
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
      if (signal.aborted) throw error
      if (!offline.signal.aborted && !(await waitIfAway(connectivity, error, signal))) throw error
    } finally {
      unsubscribe()
    }
  }
}
