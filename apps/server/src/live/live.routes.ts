import { liveLimits } from '@sallyport/contract/limits'
import { type LiveEvent, live, livePath } from '@sallyport/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { accountTopic } from './announce.ts'
import type { SocketDoor } from './socket-door.ts'
import type { Tickets } from './tickets.ts'

interface Deps {
  readonly tickets: Tickets
  readonly bus: Bus
  readonly door: SocketDoor
}

export function liveRoutes(app: FastifyInstance, { tickets, bus, door }: Deps): void {
  mount(app, live.ticket, async ({ caller, body }) => {
    const { userId, signInId } = caller.account
    return { ticket: tickets.issue({ purpose: body.purpose, userId, signInId }) }
  })

  app.get<{ Querystring: { ticket?: unknown } }>(
    livePath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        door.requireOwnOrigin(request)
        const holder = door.redeem(request.query.ticket, 'live')
        if (!holder) throw refuse('TICKET_INVALID')
        door.admit(request, holder)
      },
    },
    (socket, request) => {
      tellOfChanges(socket, request, { bus, door })
    },
  )
}

/** Pages do not see pings, so they are told in words that the channel stands: while they hear that, they need not ask. */
function tellOfChanges(socket: WebSocket, request: FastifyRequest, { bus, door }: Pick<Deps, 'bus' | 'door'>): void {
  const { account } = request.caller
  if (!account) return
  const send = (event: LiveEvent): void => socket.send(JSON.stringify(event))
  door.attend(socket, { request, signIn: account, onRevoked: () => send({ type: 'account.revoked' }) })
  const unsubscribe = bus.subscribe<LiveEvent>(accountTopic(account.userId), send)
  const telling = setInterval(() => send({ type: 'alive' }), liveLimits.aliveEveryMs)
  socket.once('close', () => {
    unsubscribe()
    clearInterval(telling)
  })
  send({ type: 'ready' })
}
