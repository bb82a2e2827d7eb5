import { randomUUID } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import { SignalSent, type SignalTold } from '@sallyport/contract/portals'
import type { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { SendQueue } from '../resources/send-queues.ts'
import type { PortalHub } from './hub.ts'
import type { Line } from './places.ts'

interface Parts {
  readonly socket: WebSocket
  readonly send: SendQueue['send']
  readonly address: string
  readonly userId: string | null
  readonly hub: PortalHub
  readonly now: () => number
}

const notUnderstood = { type: 'room-error', error: 'Unknown error' } as const satisfies SignalTold

/** Puts one signalling socket in touch with the rooms. Messages are heard one after the other. */
export function connectLine({ socket, send, address, userId, hub, now }: Parts): void {
  const pace = createPace(now)
  const tell = (message: SignalTold): void => {
    // Strangers decide how many devices arrive: what answers them does not count.
    if (message.type === 'peer-joined') pace.grant(portalLimits.answersPerArrival)
    send(JSON.stringify(message))
  }
  const line: Line = { id: randomUUID(), address, userId, tell, renew: () => socket.close(1012, 'come back') }
  let heard: Promise<void> = Promise.resolve()

  socket.on('message', (data, isBinary) => {
    if (!pace.mayGoOn()) return socket.close(1008, 'too many messages')
    const message = isBinary ? null : readSignal(String(data))
    if (!message) return tell(notUnderstood)
    heard = heard
      .then(() => hub.hear(line, message))
      .catch(() => {
        // Its seat may still be there: told that it is not, it would not ask again.
        if (message.type === 'px-rejoin') socket.close(1013, 'come back later')
        else tell(notUnderstood)
      })
  })
  socket.on('close', () => {
    heard.then(() => hub.gone(line, true)).catch(() => undefined)
  })
}

function readSignal(text: string): SignalSent | null {
  try {
    const parsed = z.safeParse(SignalSent, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** So many messages at once, and so many a second after that. */
function createPace(now: () => number) {
  let left: number = portalLimits.signalBurst
  let at = now()
  return {
    mayGoOn(): boolean {
      left = Math.min(portalLimits.signalBurst, left + ((now() - at) / 1000) * portalLimits.signalsPerSecond)
      at = now()
      if (left < 1) return false
      left -= 1
      return true
    },
    grant(messages: number): void {
      left += messages
    },
  }
}
