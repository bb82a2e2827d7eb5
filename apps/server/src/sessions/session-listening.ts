import type { LiveEvent } from '@sallyport/contract/live'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { participantTopic, sessionTopic } from '../live/announce.ts'
import { keepCurrent } from '../live/keep-current.ts'
import type { LiveVisitors } from '../live/live-visitors.ts'
import type { SocketDoor } from '../live/socket-door.ts'
import type { Tickets } from '../live/tickets.ts'
import type { Presence } from './presence.ts'
import type { SessionHolder } from './session-parts.ts'

interface Parts {
  readonly tickets: Tickets<SessionHolder>
  readonly isOpen: (sessionId: string) => Promise<boolean>
  readonly isIn: (participantId: string) => Promise<boolean>
  readonly presence: Presence
  readonly door: SocketDoor
  readonly bus: Bus
  readonly onError: (error: Error) => void
}

/** Lets those who are in a session listen to it over the live channel, with or without an account. */
export const createSessionListening = (parts: Parts): LiveVisitors => ({
  async redeem(ticket) {
    const holder = await parts.tickets.redeem(ticket, 'session')
    if (!holder) return null
    return (socket, request) => {
      tellOfSession(socket, { ...parts, request, holder }).catch(parts.onError)
    }
  },
})

interface Telling extends Parts {
  readonly request: FastifyRequest
  readonly holder: SessionHolder
}

async function tellOfSession(socket: WebSocket, telling: Telling): Promise<void> {
  const { request, holder, door, bus, presence, isOpen, isIn } = telling
  const { sessionId, participantId } = holder
  const queue = door.attend(socket, { request, signIn: null })
  const send = (event: LiveEvent): void => {
    queue.send(frameOf(event))
    if (event.type === 'session.closed') socket.close(4001, 'session over')
  }
  const leave = [
    bus.subscribe<LiveEvent>(sessionTopic(sessionId), send),
    bus.subscribe<LiveEvent>(participantTopic(participantId), send),
    keepCurrent(socket, { bus, send }),
  ]
  socket.once('close', () => {
    for (const stop of leave) stop()
  })
  presence.attend(socket, { sessionId, participantId })
  if (!(await isOpen(sessionId))) return send({ type: 'session.closed', reason: 'closed' })
  // Someone may have been removed between the ticket and the socket.
  if (!(await isIn(participantId))) return send({ type: 'session.closed', reason: 'removed' })
  send({ type: 'ready' })
}

const frames = new WeakMap<LiveEvent, string>()

/** An event is written as text once, however many sockets it goes to. */
function frameOf(event: LiveEvent): string {
  const frame = frames.get(event) ?? JSON.stringify(event)
  frames.set(event, frame)
  return frame
}
