import { randomUUID } from 'node:crypto'
import { ignore } from '@sallyport/contract/ignore'
import { portalLimits } from '@sallyport/contract/limits'
import { ClientSignal, type ServerSignal } from '@sallyport/contract/portals'
import type { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { isBoundedJson } from '../../platform/http/limits/bounded-json.rules.ts'
import type { SendQueue } from '../../platform/realtime/send-queues.ts'
import type { PortalHub } from './hub.ts'
import type { SignallingConnection } from './memberships.ts'
import { unknownError } from './room.rules.ts'

interface SignallingDeps {
  readonly socket: WebSocket
  readonly send: SendQueue['send']
  readonly address: string
  readonly userId: string | null
  readonly hub: PortalHub
  readonly now: () => number
}

/** Connects a signalling socket to the rooms. Messages are handled one after the other. */
export function connectSignalling({ socket, send, address, userId, hub, now }: SignallingDeps): void {
  const budget = createMessageBudget(now)
  const sendSignal = (message: ServerSignal): void => {
    // Strangers decide how many devices arrive, so the creator's answers to them do not count.
    if (message.type === 'peer-joined') budget.grant(portalLimits.maxAnswersPerJoin)
    send(JSON.stringify(message))
  }
  const connection: SignallingConnection = {
    id: randomUUID(),
    address,
    userId,
    send: sendSignal,
    requestReconnect: () => socket.close(1012, 'reconnect'),
  }
  let handled: Promise<void> = Promise.resolve()

  socket.on('message', (data, isBinary) => {
    if (!budget.tryConsume()) return socket.close(1008, 'too many messages')
    const message = isBinary ? null : readSignal(String(data))
    if (!message) return sendSignal(unknownError)
    handled = handled
      .then(() => hub.handle(connection, message))
      .catch((error) => {
        ignore(error, 'the device is notified')
        // The device may still have its slot; `room-error` would make it give up, so it has to reconnect.
        if (message.type === 'px-rejoin') socket.close(1013, 'try again later')
        else sendSignal(unknownError)
      })
  })
  socket.on('close', () => {
    handled.then(() => hub.disconnect(connection, true)).catch((error) => ignore(error, 'the next sweep retries'))
  })
}

function readSignal(text: string): ClientSignal | null {
  if (!isBoundedJson(text)) return null
  try {
    const parsed = z.safeParse(ClientSignal, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch (error) {
    ignore(error, 'the text of a message is not JSON')
    return null
  }
}

/** A token bucket for messages: a burst, then a steady rate. */
function createMessageBudget(now: () => number) {
  let tokens: number = portalLimits.signalBurst
  let refilledAt = now()
  return {
    tryConsume(): boolean {
      tokens = Math.min(
        portalLimits.signalBurst,
        tokens + ((now() - refilledAt) / 1000) * portalLimits.signalsPerSecond,
      )
      refilledAt = now()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    grant(messages: number): void {
      tokens += messages
    },
  }
}
