import { liveLimits } from '@sallyport/contract/limits'
import { type LiveEvent, live, livePath } from '@sallyport/contract/live'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { accountTopic, type Revocation, revokedTopic } from './announce.ts'
import type { OpenSignIn } from './ended-watch.ts'
import type { Tickets } from './tickets.ts'

interface Deps {
  readonly tickets: Tickets
  readonly bus: Bus
  /** Origins a page of ours can have; asked for each connection. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** Keeps an eye on the sign-in behind an open socket until the answer is called. */
  readonly watch: (signIn: OpenSignIn) => () => void
}

const pingEveryMs = 20_000

export function liveRoutes(app: FastifyInstance, { tickets, bus, watch, isOwnOrigin }: Deps): void {
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
        if (!isOwnOrigin(request.headers.origin, request.headers.host)) throw refuse('FORBIDDEN')
        const { ticket } = request.query
        const holder = typeof ticket === 'string' ? tickets.redeem(ticket, 'live') : null
        if (!holder) throw refuse('TICKET_INVALID')
        request.caller = { account: { ...holder, email: '', secondFactorPending: false, recoveredAt: null } }
      },
    },
    (socket, request) => {
      const account = request.caller.account
      if (!account) return
      tellOfChanges(socket, account, bus)
      socket.once('close', watch(account))
    },
  )
}

function tellOfChanges(socket: WebSocket, { userId, signInId }: { userId: string; signInId: string }, bus: Bus): void {
  const send = (event: LiveEvent): void => socket.send(JSON.stringify(event))
  const leave = [
    bus.subscribe<LiveEvent>(accountTopic(userId), send),
    bus.subscribe<Revocation>(revokedTopic, (revoked) => {
      if (revoked.userId !== userId || (revoked.signInId !== undefined && revoked.signInId !== signInId)) return
      send({ type: 'account.revoked' })
      socket.close(4001, 'signed out')
    }),
    keepAlive(socket, () => send({ type: 'alive' })),
  ]
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    for (const stop of leave) stop()
  })
  send({ type: 'ready' })
}

/**
 * Ends a socket whose other side has missed two pings. Pages do not see pings, so they are also told in words that the
 * channel stands: while they hear that, they need not ask for their lists.
 */
function keepAlive(socket: WebSocket, sayAlive: () => void): () => void {
  let missed = 0
  socket.on('pong', () => {
    missed = 0
  })
  const timer = setInterval(() => {
    if (missed >= 2) return socket.terminate()
    missed += 1
    socket.ping()
  }, pingEveryMs)
  const telling = setInterval(sayAlive, liveLimits.aliveEveryMs)
  return () => {
    clearInterval(timer)
    clearInterval(telling)
  }
}
