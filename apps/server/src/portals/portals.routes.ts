import { portalLimits } from '@sallyport/contract/limits'
import { type IceServer, portals, relayPath, signallingPath } from '@sallyport/contract/portals'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { refuseVisitorsBehindUntrustedProxy } from '../http/untrusted-proxy.ts'
import type { Attempts } from '../limits/attempts.ts'
import { isLocked } from '../limits/pin-guard.ts'
import type { SocketDoor } from '../live/socket-door.ts'
import type { Tickets } from '../live/tickets.ts'
import type { PinGuard } from './entering.ts'
import type { PortalHolder, PortalHub } from './hub.ts'
import { connectLine } from './lines.ts'
import type { Relay, RelayPlace } from './relay.ts'

interface Deps {
  readonly hub: PortalHub
  /** Null where this server carries no bytes between devices. */
  readonly relay: Relay | null
  readonly pins: PinGuard
  readonly attempts: Attempts
  readonly tickets: Tickets<PortalHolder>
  readonly door: SocketDoor
  readonly iceServers: readonly IceServer[]
  readonly classic: boolean
  readonly now: () => number
}

export function portalRoutes(app: FastifyInstance, deps: Deps): void {
  const { hub, relay, pins, attempts, tickets } = deps

  mount(app, portals.settings, async () => ({
    iceServers: [...deps.iceServers],
    relay: relay !== null,
    classic: deps.classic,
  }))

  mount(app, portals.ticket, async ({ caller, address }) => {
    const limit = rateLimits.portalTicketsPerAddress
    const { allowed, retryAfterSeconds } = await attempts.allow(`portal-ticket:${address}`, limit)
    if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
    const account = caller.account
    const signIn = account && { userId: account.userId, signInId: account.signInId }
    return { ticket: await tickets.issue({ purpose: 'portal', signIn }) }
  })

  mount(app, portals.join, async ({ body, address }) => {
    if (!/^\d{6}$/.test(body.session_pin)) throw refuse('PIN_INVALID')
    const waitSeconds = await hub.countLookup(address)
    if (waitSeconds > 0) throw refuse('RATE_LIMITED', { retryAfterSeconds: waitSeconds })
    const found = await pins.look(address, async () => (await hub.isOpen(body.session_pin)) || null)
    if (isLocked(found)) throw refuse('RATE_LIMITED', { retryAfterSeconds: found.lockedSeconds })
    if (found === null) throw refuse('ROOM_NOT_FOUND')
    const ticket = await tickets.issue({ purpose: 'portal', signIn: null })
    return { session: { id: ticket, temp_token: ticket } }
  })

  signalling(app, deps)
  if (relay) relaying(app, relay, deps.door)
}

function signalling(app: FastifyInstance, { tickets, hub, door, now }: Deps): void {
  const holders = new WeakMap<FastifyRequest, PortalHolder>()

  app.get<{ Querystring: { session?: unknown } }>(
    signallingPath,
    {
      websocket: true,
      config: { outsideContract: 'socket' },
      preValidation: async (request) => {
        door.requireOwnOrigin(request)
        const { session } = request.query
        const holder = typeof session === 'string' ? await tickets.redeem(session, 'portal') : null
        if (!holder) throw refuse('TICKET_INVALID')
        refuseVisitorsBehindUntrustedProxy(request, holder.signIn?.userId)
        door.admit(request, holder.signIn, 'signalling')
        holders.set(request, holder)
      },
    },
    (socket, request) => {
      const signIn = holders.get(request)?.signIn ?? null
      const { send } = door.attend(socket, { request, signIn })
      connectLine({ socket, send, address: request.clientBlock, userId: signIn?.userId ?? null, hub, now })
    },
  )
}

function relaying(app: FastifyInstance, relay: Relay, door: SocketDoor): void {
  const places = new WeakMap<FastifyRequest, RelayPlace>()
  app.get<{ Querystring: { token?: unknown } }>(
    relayPath,
    {
      websocket: true,
      config: { outsideContract: 'socket', frameBytes: portalLimits.relay.frameBytes },
      preValidation: async (request) => {
        door.requireOwnOrigin(request)
        const { token } = request.query
        const place = typeof token === 'string' ? await relay.redeem(token) : null
        if (!place) throw refuse('TICKET_INVALID')
        door.admit(request, null, 'relay')
        places.set(request, place)
      },
    },
    (socket, request) => {
      const place = places.get(request)
      if (!place) return
      const queue = door.attend(socket, { request, signIn: null, provesLifeByMessages: true })
      relay.connect(place, { socket, queue })
    },
  )
}
