import type { Call } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { system } from '@sallyport/contract/system'

export interface NetworkConnectivity extends Observable<boolean> {
  /** Observes the browser's network state until the returned function is called. */
  readonly watch: () => () => void
}

const probeIntervalMs = 3000

/**
 * Observes whether the server is reachable. While the browser reports being offline the server is probed until it
 * answers, because it may run on this machine.
 */
export function createNetworkConnectivity(call: Call): NetworkConnectivity {
  const isReachable = createSubject(true)
  let probing = new AbortController()

  function set(reachable: boolean): void {
    if (reachable !== isReachable.current()) isReachable.set(reachable)
  }

  async function probeUntilReachable(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const attempt = call(system.checkConnection, {}, { signal, timeoutMs: probeIntervalMs })
      if (
        await attempt.then(
          () => true,
          () => false,
        )
      )
        return signal.aborted ? undefined : set(true)
      await systemClock.wait(probeIntervalMs, signal).catch(() => undefined)
    }
  }

  function handleChange(isOnline: boolean): void {
    probing.abort()
    probing = new AbortController()
    set(isOnline)
    if (!isOnline) void probeUntilReachable(probing.signal)
  }

  return {
    current: isReachable.current,
    subscribe: isReachable.subscribe,
    watch() {
      const controller = new AbortController()
      addEventListener('online', () => handleChange(true), { signal: controller.signal })
      addEventListener('offline', () => handleChange(false), { signal: controller.signal })
      handleChange(navigator.onLine)
      return () => {
        controller.abort()
        probing.abort()
      }
    },
  }
}
