import type { LiveEvent } from '@sallyport/contract/live'
import { liveLimits } from '@sallyport/contract/server-limits'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'

/** Tells the page to come again: it then asks for what it has missed, and whether it may still listen is looked at anew. */
const comeAgain = 1012

interface Telling {
  readonly bus: Pick<Bus, 'onGap' | 'isWhole'>
  readonly send: (event: LiveEvent) => void
}

/**
 * Pages do not see pings, so they are told in words that the channel stands: while they hear that, they need not ask. They
 * do not hear it while the bus is not whole, and come again after that. The answer ends the telling.
 */
export function keepCurrent(socket: WebSocket, { bus, send }: Telling): () => void {
  const alive = setInterval(() => {
    if (bus.isWhole()) send({ type: 'alive' })
  }, liveLimits.aliveEveryMs)
  const leave = bus.onGap(() => socket.close(comeAgain, 'messages were missed'))
  return () => {
    clearInterval(alive)
    leave()
  }
}
