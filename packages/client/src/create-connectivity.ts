import { checkConnection } from '@sallyport/contract/check-connection'
import { ignore } from '@sallyport/contract/ignore'
import type { Call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Connectivity } from './connectivity.ts'
import { createSubject } from './observable.ts'

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
    call(checkConnection, {}, { signal, timeoutMs: probeTimeoutMs }).then(
      () => true,
      (error) => ignore(error, 'the server is away') ?? false,
    )

  async function probeUntilReachable(signal: AbortSignal): Promise<void> {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      if (await isAnswering(signal)) {
        if (signal.aborted) return
        probing = null
        return isReachable.set(true)
      }
      await clock.wait(pauseMs * (0.5 + random() / 2), signal).catch((error) => ignore(error, 'it was stopped'))
    }
  }

  function start(): void {
    probing?.abort()
    probing = new AbortController()
    void probeUntilReachable(probing.signal)
    if (isReachable.current()) isReachable.set(false)
  }

  async function verifyOnce(): Promise<boolean> {
    if (!(await isAnswering()) && probing === null) start()
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
