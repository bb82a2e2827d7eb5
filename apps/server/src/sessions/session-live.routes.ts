import { liveLimits } from '@sallyport/contract/limits'
import type { LiveEvent } from '@sallyport/contract/live'
import { sessions as contract, sessionLivePath } from '@sallyport/contract/sessions'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { participantTopic, sessionTopic } from '../live/announce.ts'
import type { SocketDoor } from '../live/socket-door.ts'
import type { Tickets } from '../live/tickets.ts'
import type { Entrance } from './entrance.ts'
import type { Presence } from './presence.ts'
import type { SessionHolder } from './session-parts.ts'
import { shownBy } from './shown.ts'

interface Deps {
  readonly tickets: Tickets<SessionHolder>
  readonly entrance: Entrance
  readonly isOpen: (sessionId: string) => Promise<boolean>
  readonly presence: Presence
  readonly door: SocketDoor
  readonly bus: Bus
  readonly onError: (error: Error) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    sessionHolder?: SessionHolder
  }
}

export function sessionLiveRoutes(app: FastifyInstance, deps: Deps): void {
  const { tickets, entrance, door, onError } = deps

  mount(app, contract.ticket, async (request) => {
    const { session, participant } = await entrance.enter(request.params.id, shownBy(request))
    const holder = { purpose: 'session', sessionId: session.id, participantId: participant?.id ?? null } as const
    return { ticket: tickets.issue(holder) }
  })

  app.get<{ Querystring: { ticket?: unknown } }>(
    sessionLivePath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        door.requireOwnOrigin(request)
        const { ticket } = request.query
        const holder = typeof ticket === 'string' ? tickets.redeem(ticket, 'session') : null
        if (!holder) throw refuse('TICKET_INVALID')
        door.admit(request, null)
        request.sessionHolder = holder
      },
    },
    (socket, request) => {
      const holder = request.sessionHolder
      if (holder) tellOfSession(socket, { ...deps, request, holder }).catch(onError)
    },
  )
}

interface Telling extends Deps {
  readonly request: FastifyRequest
  readonly holder: SessionHolder
}

async function tellOfSession(socket: WebSocket, telling: Telling): Promise<void> {
  const { request, holder, door, bus, presence, isOpen } = telling
  const { sessionId, participantId } = holder
  const send = (event: LiveEvent): void => {
    socket.send(JSON.stringify(event))
    if (event.type === 'session.closed') socket.close(4001, 'session over')
  }
  door.attend(socket, { request, signIn: null })
  // Nothing is to be said here; whoever speaks is not a page of ours.
  socket.on('message', () => socket.close(1008, 'nothing to say'))
  const leave = [
    bus.subscribe<LiveEvent>(sessionTopic(sessionId), frameOnce(socket, send)),
    ...(participantId === null ? [] : [bus.subscribe<LiveEvent>(participantTopic(participantId), send)]),
  ]
  const alive = setInterval(() => send({ type: 'alive' }), liveLimits.aliveEveryMs)
  socket.once('close', () => {
    for (const stop of leave) stop()
    clearInterval(alive)
  })
  if (participantId !== null) presence.attend(socket, { sessionId, participantId })
  if (!(await isOpen(sessionId))) return send({ type: 'session.closed', reason: 'closed' })
  send({ type: 'ready' })
}

const frames = new WeakMap<LiveEvent, string>()

/** An event is written as text once, however many sockets it goes to. */
function frameOnce(socket: WebSocket, send: (event: LiveEvent) => void): (event: LiveEvent) => void {
  return (event) => {
    if (event.type === 'session.closed') return send(event)
    const frame = frames.get(event) ?? JSON.stringify(event)
    frames.set(event, frame)
    socket.send(frame)
  }
}
