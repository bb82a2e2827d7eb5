import { type LiveEvent, live, livePath } from '@sallyport/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { accountTopic } from './announce.ts'
import { keepCurrent } from './keep-current.ts'
import type { Attend, LiveVisitors } from './live-visitors.ts'
import type { SocketDoor } from './socket-door.ts'
import type { Tickets } from './tickets.ts'

interface Deps {
  readonly tickets: Tickets
  readonly bus: Bus
  readonly door: SocketDoor
  readonly visitors: LiveVisitors
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a visitor's ticket has opened the socket. */
    attend?: Attend
  }
}

export function liveRoutes(app: FastifyInstance, { tickets, bus, door, visitors }: Deps): void {
  mount(app, live.ticket, async ({ caller, body }) => {
    const { userId, signInId } = caller.account
    return { ticket: await tickets.issue({ purpose: body.purpose, userId, signInId }) }
  })

  app.get<{ Querystring: { ticket?: unknown } }>(
    livePath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        door.requireOwnOrigin(request)
        const { ticket } = request.query
        const holder = await door.redeem(ticket, 'live')
        const attend = holder || typeof ticket !== 'string' ? null : await visitors.redeem(ticket)
        if (!holder && !attend) throw refuse('TICKET_INVALID')
        door.admit(request, holder, 'live')
        if (attend) request.attend = attend
      },
    },
    (socket, request) => {
      if (request.attend) request.attend(socket, request)
      else tellOfChanges(socket, request, { bus, door })
    },
  )
}

function tellOfChanges(socket: WebSocket, request: FastifyRequest, { bus, door }: Pick<Deps, 'bus' | 'door'>): void {
  const { account } = request.caller
  if (!account) return
  const queue = door.attend(socket, {
    request,
    signIn: account,
    onRevoked: ({ send: tell }) => tell(JSON.stringify({ type: 'account.revoked' } satisfies LiveEvent)),
  })
  const send = (event: LiveEvent): void => queue.send(JSON.stringify(event))
  const unsubscribe = bus.subscribe<LiveEvent>(accountTopic(account.userId), send)
  const leave = keepCurrent(socket, { bus, send })
  socket.once('close', () => {
    unsubscribe()
    leave()
  })
  send({ type: 'ready' })
}
