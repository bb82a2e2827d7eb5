import { ignore } from '@sallyport/contract/ignore'
import type { Clock } from '../../clock.ts'

/** `RTCPeerConnectionState`. */
type ConnectionState = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'

interface IceRestarterOptions {
  readonly clock: Clock
  /** Starts an ICE restart; null for the device that only answers and with legacy peers. */
  readonly restart: (() => void) | null
  readonly giveUp: () => void
}

/** How long a connection may be interrupted before it is replaced. */
const restartTimeoutMs = 5000

/**
 * Starts an ICE restart when a connection is interrupted, and gives the connection up if it does not reconnect in time.
 */
export function createIceRestarter({ clock, restart, giveUp }: IceRestarterOptions) {
  let interruption: AbortController | null = null

  function endInterruption(): void {
    interruption?.abort()
    interruption = null
  }

  function startInterruption(): void {
    interruption = new AbortController()
    clock
      .wait(restartTimeoutMs, interruption.signal)
      .then(giveUp, (error) => ignore(error, 'the interruption has ended'))
    restart?.()
  }

  return {
    onStateChange(state: ConnectionState): void {
      if (state === 'connected') endInterruption()
      if (state === 'disconnected' && !interruption) startInterruption()
      if (state !== 'failed' && state !== 'closed') return
      endInterruption()
      giveUp()
    },
    /** Repeats the restart once signals can be exchanged again, because the previous offer may be lost. */
    retry(): void {
      if (interruption) restart?.()
    },
  }
}
