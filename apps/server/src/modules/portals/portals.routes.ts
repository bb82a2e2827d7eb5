import { portalLimits } from '@sallyport/contract/limits'
import { portals, relayPath, signallingPath } from '@sallyport/contract/portals'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { mount } from '../../platform/http/mount.ts'
import { rejectVisitorsBehindUntrustedProxy } from '../../platform/http/untrusted-proxy.ts'
import { isLocked } from '../../platform/rate-limit/pin-guard.ts'
import type { SocketAdmission } from '../../platform/realtime/socket-admission.ts'
import type { Portals } from './create-portals.ts'
import type { PortalHolder } from './hub.ts'
import type { Relay, RelayTicket } from './relay.ts'
import { connectSignalling } from './signalling-connection.ts'

interface PortalRoutesDeps extends Omit<Portals, 'jobs'>, Pick<ServerContext, 'rateLimiter' | 'now'> {
  readonly socketAdmission: SocketAdmission
}

export function portalRoutes(app: FastifyInstance, deps: PortalRoutesDeps): void {
  const { hub, relay, pins, rateLimiter, tickets } = deps

  mount(app, portals.settings, async () => ({
    iceServers: [...deps.iceServers],
    relay: relay !== null,
    classic: deps.allowLegacy,
  }))

  mount(app, portals.ticket, async ({ caller, address }) => {
    const limit = rateLimits.portalTicketsPerAddress
    const { allowed, retryAfterSeconds } = await rateLimiter.allow(`portal-ticket:${address}`, limit)
    if (!allowed) throw apiError('RATE_LIMITED', { retryAfterSeconds })
    const account = caller.account
    const authSession = account && { userId: account.userId, authSessionId: account.authSessionId }
    return { ticket: await tickets.issue({ purpose: 'portal', authSession }) }
  })

  mount(app, portals.join, async ({ body, address }) => {
    if (!/^\d{6}$/.test(body.session_pin)) throw apiError('PIN_INVALID')
    const waitSeconds = await hub.countLookup(address)
    if (waitSeconds > 0) throw apiError('RATE_LIMITED', { retryAfterSeconds: waitSeconds })
    const found = await pins.checkCode(address, async () => (await hub.isOpen(body.session_pin)) || null)
    if (isLocked(found)) throw apiError('RATE_LIMITED', { retryAfterSeconds: found.lockedSeconds })
    if (found === null) throw apiError('ROOM_NOT_FOUND')
    const ticket = await tickets.issue({ purpose: 'portal', authSession: null })
    return { session: { id: ticket, temp_token: ticket } }
  })

  mountSignalling(app, deps)
  if (relay) mountRelay(app, relay, deps.socketAdmission)
}

function mountSignalling(app: FastifyInstance, { tickets, hub, socketAdmission, now }: PortalRoutesDeps): void {
  const holders = new WeakMap<FastifyRequest, PortalHolder>()

  app.get<{ Querystring: { session?: unknown } }>(
    signallingPath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        socketAdmission.requireOwnOrigin(request)
        const { session } = request.query
        const holder = typeof session === 'string' ? await tickets.redeem(session, 'portal') : null
        if (!holder) throw apiError('TICKET_INVALID')
        rejectVisitorsBehindUntrustedProxy(request, holder.authSession?.userId)
        socketAdmission.admit(request, holder.authSession, 'signalling')
        holders.set(request, holder)
      },
    },
    (socket, request) => {
      const authSession = holders.get(request)?.authSession ?? null
      const { send } = socketAdmission.attach(socket, { request, authSession })
      connectSignalling({ socket, send, address: request.clientBlock, userId: authSession?.userId ?? null, hub, now })
    },
  )
}

function mountRelay(app: FastifyInstance, relay: Relay, socketAdmission: SocketAdmission): void {
  const relayTickets = new WeakMap<FastifyRequest, RelayTicket>()
  app.get<{ Querystring: { token?: unknown } }>(
    relayPath,
    {
      websocket: true,
      config: { outsideContract: 'socket', frameBytes: portalLimits.relay.frameBytes },
      preValidation: async (request) => {
        socketAdmission.requireOwnOrigin(request)
        const { token } = request.query
        const relayTicket = typeof token === 'string' ? await relay.redeem(token) : null
        if (!relayTicket) throw apiError('TICKET_INVALID')
        socketAdmission.admit(request, null, 'relay')
        relayTickets.set(request, relayTicket)
      },
    },
    (socket, request) => {
      const relayTicket = relayTickets.get(request)
      if (!relayTicket) return
      const queue = socketAdmission.attach(socket, { request, authSession: null, provesLifeByMessages: true })
      relay.connect(relayTicket, { socket, queue })
    },
  )
}
