import type { Call } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { system } from '@sallyport/contract/system'

export interface NetworkLine extends Observable<boolean> {
  /** Follows what the browser says of the network, until the returned function is called. */
  readonly watch: () => () => void
}

const askEveryMs = 3000

/**
 * Whether the server can be reached, as far as the browser can tell. One that says it is offline is believed until the
 * server answers all the same: it may run on this very machine.
 */
export function createNetworkLine(call: Call): NetworkLine {
  const line = createSubject(true)
  let asking = new AbortController()

  function set(isOpen: boolean): void {
    if (isOpen !== line.current()) line.set(isOpen)
  }

  async function askUntilOpen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const attempt = call(system.checkConnection, {}, { signal, timeoutMs: askEveryMs })
      if (
        await attempt.then(
          () => true,
          () => false,
        )
      )
        return signal.aborted ? undefined : set(true)
      await systemClock.wait(askEveryMs, signal).catch(() => undefined)
    }
  }

  function follow(isOnline: boolean): void {
    asking.abort()
    asking = new AbortController()
    set(isOnline)
    if (!isOnline) void askUntilOpen(asking.signal)
  }

  return {
    current: line.current,
    subscribe: line.subscribe,
    watch() {
      const listening = new AbortController()
      addEventListener('online', () => follow(true), { signal: listening.signal })
      addEventListener('offline', () => follow(false), { signal: listening.signal })
      follow(navigator.onLine)
      return () => {
        listening.abort()
        asking.abort()
      }
    },
  }
}
