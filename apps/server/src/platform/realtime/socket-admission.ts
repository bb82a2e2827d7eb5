import type { TicketPurpose } from '@sallyport/contract/live'
import { socketLimits } from '@sallyport/contract/server-limits'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { apiError } from '../../errors.ts'
import type { Bus } from '../events/bus.ts'
import { type Revocation, revokedTopic } from '../events/publish.ts'
import { callerOf, enclosingBlocks } from '../http/address-blocks.ts'
import type { Resources, SocketKind } from '../rate-limit/resources.ts'
import type { AuthSessionRef } from './auth-session-monitor.ts'
import type { SendQueue } from './send-queues.ts'
import type { Tickets } from './tickets.ts'

interface SocketAdmissionDeps {
  readonly tickets: Tickets
  readonly bus: Bus
  readonly resources: Pick<Resources, 'limits' | 'sends' | 'sockets'>
  /** The origin of this server's pages. */
  readonly publicUrl: URL
  /** Monitors the auth session of an open socket until the returned function is called. */
  readonly monitorAuthSession: (authSession: AuthSessionRef) => () => void
  /** The maximum of sockets per account. */
  readonly perAccount?: number
}

/** What all sockets share: who may connect, how many, and until when. */
export function createSocketAdmission(deps: SocketAdmissionDeps) {
  const { tickets, bus, resources, publicUrl, monitorAuthSession, perAccount = socketLimits.perAccount } = deps
  const counter = createSocketCounter()

  function count(request: FastifyRequest, key: string, max: number): void {
    const release = counter.acquire(key, max)
    if (!release) throw apiError('RATE_LIMITED')
    onceClosed(request, release)
  }

  function onceClosed({ raw: { socket: connection } }: FastifyRequest, release: () => void): void {
    // Also when the upgrade fails, or the client disconnects while its ticket is checked.
    if (connection.destroyed) release()
    else connection.once('close', release)
  }

  const closeOnRevocation = (authSession: AuthSessionRef, socket: WebSocket, onRevoked: (() => void) | undefined) => [
    bus.subscribe<Revocation>(revokedTopic, (revoked) => {
      if (revoked.userId !== authSession.userId) return
      if (revoked.signInId !== undefined && revoked.signInId !== authSession.authSessionId) return
      onRevoked?.()
      socket.close(4001, 'signed out')
    }),
    monitorAuthSession(authSession),
  ]

  return {
    /** Throws FORBIDDEN for connections of foreign pages. */
    requireOwnOrigin(request: FastifyRequest): void {
      if (!isOwnOrigin(publicUrl, request.headers.origin, request.headers.host)) throw apiError('FORBIDDEN')
    },

    /** Redeems a ticket and returns its holder; null when it is not, or no longer, valid for this purpose. */
    redeem: async (ticket: unknown, purpose: TicketPurpose): Promise<AuthSessionRef | null> =>
      typeof ticket === 'string' ? tickets.redeem(ticket, purpose) : null,

    /**
     * Admits the holder, unless the account, the address of a visitor or the process holds too many sockets already;
     * `null` means a visitor.
     */
    admit(request: FastifyRequest, authSession: AuthSessionRef | null, kind: SocketKind): void {
      const { clientBlock, isFromTrustedProxy } = request
      // Many users behind one address have accounts of their own, and a trusted proxy represents many visitors.
      if (!authSession && !isFromTrustedProxy) {
        for (const [index, block] of enclosingBlocks(clientBlock).entries()) {
          count(request, `address:${block}`, socketLimits.perAddress * 2 ** index)
        }
      }
      const evict = (): void => void request.raw.socket.destroy()
      const release = resources.sockets[kind].acquire(callerOf(request, authSession?.userId), evict)
      if (!release) throw apiError('UNAVAILABLE', { retryAfterSeconds: 10 })
      onceClosed(request, release)
      if (!authSession) return
      const { userId, authSessionId } = authSession
      count(request, `account:${userId}`, perAccount)
      request.caller = { account: { userId, authSessionId, email: '', mfaPending: false, recoveredAt: null } }
    },

    /** The same for the sockets of one kind. */
    admitKind(
      request: FastifyRequest,
      { userId }: AuthSessionRef,
      { kind, most: max }: { kind: string; most: number },
    ): void {
      count(request, `${kind}:${userId}`, max)
    },

    /** Keeps a socket open while its client responds and its auth session is valid; returns its send queue. */
    attach(
      socket: WebSocket,
      { request, authSession, onRevoked, provesLifeByMessages = false }: AttachOptions,
    ): SendQueue {
      const queue = resources.sends.open(socket, callerOf(request, authSession?.userId))
      const heartbeat = { socket, queue, provesLifeByMessages, stalledReadMs: resources.limits.stalledReadMs }
      const revoked = onRevoked && (() => onRevoked(queue))
      const cleanups = [keepAlive(heartbeat), ...(authSession ? closeOnRevocation(authSession, socket, revoked) : [])]
      // A socket that breaks a rule is being closed with the reason; nothing else is needed.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        for (const stop of cleanups) stop()
      })
      return queue
    },
  }
}

interface AttachOptions {
  readonly request: FastifyRequest
  /** Null for a visitor. */
  readonly authSession: AuthSessionRef | null
  /** Called before the socket is closed because its auth session has ended. */
  readonly onRevoked?: (queue: SendQueue) => void
  /** Set for clients that send in bulk: the pong waits behind their own messages, so these count as well. */
  readonly provesLifeByMessages?: boolean
}

export type SocketAdmission = ReturnType<typeof createSocketAdmission>

interface Heartbeat {
  readonly socket: WebSocket
  readonly queue: SendQueue
  readonly provesLifeByMessages: boolean
  readonly stalledReadMs: number
}

/** Terminates a socket whose client has missed two pings or has stopped reading. Bytes alone do not count as alive. */
function keepAlive({ socket, queue, provesLifeByMessages, stalledReadMs }: Heartbeat): () => void {
  let missed = 0
  const markAlive = (): void => {
    missed = 0
  }
  socket.on('pong', markAlive)
  if (provesLifeByMessages) socket.on('message', markAlive)
  const timer = setInterval(() => {
    // A socket that this server has paused receives no pongs.
    missed = socket.isPaused ? 0 : missed + 1
    if (missed > 2 || queue.stalledMs() > stalledReadMs) return socket.terminate()
    socket.ping()
  }, socketLimits.pingEveryMs)
  return () => clearInterval(timer)
}

/** Counts the open sockets per key and enforces a maximum. */
function createSocketCounter() {
  const counts = new Map<string, number>()

  return {
    /** Counts one socket and returns the function that releases it; null when the maximum is reached. */
    acquire(key: string, max: number): (() => void) | null {
      const count = counts.get(key) ?? 0
      if (count >= max) return null
      counts.set(key, count + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

/**
 * True for the origin of a page that this server delivered: the public URL, or the host the request came to. Browsers
 * set both headers themselves, so a page of another site cannot forge them.
 */
function isOwnOrigin(publicUrl: URL, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const originUrl = new URL(origin)
  return originUrl.origin === publicUrl.origin || originUrl.host === host
}
