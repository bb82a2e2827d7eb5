import type { LiveEvent } from '@sallyport/contract/live'
import { liveLimits } from '@sallyport/contract/server-limits'
import type { WebSocket } from 'ws'
import type { Bus } from '../events/bus.ts'

/** Makes the client reconnect: it then fetches what it has missed and is authorized again. */
const serviceRestart = 1012

interface LivenessDeps {
  readonly bus: Pick<Bus, 'onGap' | 'isInSync'>
  readonly send: (event: LiveEvent) => void
}

/**
 * Browsers do not expose pings to a page, so the server sends `alive` events: while a page receives them it does not
 * poll. None are sent while the bus is out of sync, and after a gap the socket is closed so that the client reconnects.
 * The returned function stops this.
 */
export function startLiveness(socket: WebSocket, { bus, send }: LivenessDeps): () => void {
  const alive = setInterval(() => {
    if (bus.isInSync()) send({ type: 'alive' })
  }, liveLimits.aliveEveryMs)
  const unsubscribe = bus.onGap(() => socket.close(serviceRestart, 'messages were missed'))
  return () => {
    clearInterval(alive)
    unsubscribe()
  }
}
