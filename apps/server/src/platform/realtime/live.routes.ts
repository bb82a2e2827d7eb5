import { type LiveEvent, live, livePath } from '@sallyport/contract/live'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { apiError } from '../../errors.ts'
import type { Bus } from '../events/bus.ts'
import { accountTopic } from '../events/publish.ts'
import { mount } from '../http/mount.ts'
import type { LiveVisitors, SocketHandler } from './live-visitors.ts'
import { startLiveness } from './liveness.ts'
import type { OnlineAccounts } from './online-accounts.ts'
import type { SocketAdmission } from './socket-admission.ts'
import type { Tickets } from './tickets.ts'

interface LiveRoutesDeps {
  readonly tickets: Tickets
  readonly bus: Bus
  readonly socketAdmission: SocketAdmission
  readonly visitors: LiveVisitors
  readonly online: OnlineAccounts
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when a visitor's ticket has opened the socket. */
    handleSocket?: SocketHandler
  }
}

export function liveRoutes(app: FastifyInstance, deps: LiveRoutesDeps): void {
  const { tickets, socketAdmission, visitors } = deps

  mount(app, live.ticket, async ({ caller, body }) => {
    const { userId, authSessionId } = caller.account
    return { ticket: await tickets.issue({ purpose: body.purpose, userId, authSessionId }) }
  })

  app.get<{ Querystring: { ticket?: unknown } }>(
    livePath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        socketAdmission.requireOwnOrigin(request)
        const { ticket } = request.query
        const holder = await socketAdmission.redeem(ticket, 'live')
        const handleSocket = holder || typeof ticket !== 'string' ? null : await visitors.redeem(ticket)
        if (!holder && !handleSocket) throw apiError('TICKET_INVALID')
        socketAdmission.admit(request, holder, 'live')
        if (handleSocket) request.handleSocket = handleSocket
      },
    },
    (socket, request) => {
      if (request.handleSocket) request.handleSocket(socket, request)
      else sendAccountEvents(socket, request, deps)
    },
  )
}

function sendAccountEvents(
  socket: WebSocket,
  request: FastifyRequest,
  { bus, socketAdmission, online }: Pick<LiveRoutesDeps, 'bus' | 'socketAdmission' | 'online'>,
): void {
  const { account } = request.caller
  if (!account) return
  const queue = socketAdmission.attach(socket, {
    request,
    authSession: account,
    onRevoked: ({ send: sendText }) => sendText(JSON.stringify({ type: 'account.revoked' } satisfies LiveEvent)),
  })
  const send = (event: LiveEvent): void => queue.send(JSON.stringify(event))
  const unsubscribe = bus.subscribe<LiveEvent>(accountTopic(account.userId), send)
  const removeOnline = online.add(account.userId)
  const stopLiveness = startLiveness(socket, { bus, send })
  socket.once('close', () => {
    unsubscribe()
    removeOnline()
    stopLiveness()
  })
  send({ type: 'ready' })
}
