import type { TicketPurpose } from '@sallyport/contract/live'
import { socketLimits } from '@sallyport/contract/server-limits'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { callerOf, enclosingBlocks } from '../resources/address-blocks.ts'
import type { Resources, SocketKind } from '../resources/resources.ts'
import type { SendQueue } from '../resources/send-queues.ts'
import { type Revocation, revokedTopic } from './announce.ts'
import type { OpenSignIn } from './ended-watch.ts'
import { createOpenSockets } from './open-sockets.ts'
import type { Tickets } from './tickets.ts'

interface Parts {
  readonly tickets: Tickets
  readonly bus: Bus
  readonly resources: Pick<Resources, 'limits' | 'sends' | 'sockets'>
  /** Origins a page of ours can have; asked for each connection. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** Keeps an eye on the sign-in behind an open socket until the answer is called. */
  readonly watch: (signIn: OpenSignIn) => () => void
  /** How many sockets an account may hold. */
  readonly perAccount?: number
}

/** What every socket shares: who comes in, how many, and until when. */
export function createSocketDoor(parts: Parts) {
  const { tickets, bus, resources, isOwnOrigin, watch, perAccount = socketLimits.perAccount } = parts
  const open = createOpenSockets()

  function count(request: FastifyRequest, key: string, most: number): void {
    const leave = open.enter(key, most)
    if (!leave) throw refuse('RATE_LIMITED')
    onceClosed(request, leave)
  }

  function onceClosed({ raw: { socket: line } }: FastifyRequest, leave: () => void): void {
    // Also when the connection never becomes a socket, or was given up while its ticket was looked for.
    if (line.destroyed) leave()
    else line.once('close', leave)
  }

  const endWith = (signIn: OpenSignIn, socket: WebSocket, onRevoked: (() => void) | undefined) => [
    bus.subscribe<Revocation>(revokedTopic, (revoked) => {
      if (revoked.userId !== signIn.userId) return
      if (revoked.signInId !== undefined && revoked.signInId !== signIn.signInId) return
      onRevoked?.()
      socket.close(4001, 'signed out')
    }),
    watch(signIn),
  ]

  return {
    /** Refuses connections of pages that are not ours. */
    requireOwnOrigin(request: FastifyRequest): void {
      if (!isOwnOrigin(request.headers.origin, request.headers.host)) throw refuse('FORBIDDEN')
    },

    /** Who holds a ticket, which is used up by this; null when it is not (or no longer) good for this purpose. */
    redeem: async (ticket: unknown, purpose: TicketPurpose): Promise<OpenSignIn | null> =>
      typeof ticket === 'string' ? tickets.redeem(ticket, purpose) : null,

    /**
     * Lets the holder in, unless its account, or a visitor's address, or the process holds too many sockets already; null
     * stands for a visitor.
     */
    admit(request: FastifyRequest, signIn: OpenSignIn | null, kind: SocketKind): void {
      const { clientBlock, isFromTrustedProxy } = request
      // Many people behind one address have accounts of their own, and a trusted proxy stands for many visitors.
      if (!signIn && !isFromTrustedProxy) {
        for (const [index, block] of enclosingBlocks(clientBlock).entries()) {
          count(request, `address:${block}`, socketLimits.perAddress * 2 ** index)
        }
      }
      const evict = (): void => void request.raw.socket.destroy()
      const release = resources.sockets[kind].acquire(callerOf(request, signIn?.userId), evict)
      if (!release) throw refuse('UNAVAILABLE', { retryAfterSeconds: 10 })
      onceClosed(request, release)
      if (!signIn) return
      const { userId, signInId } = signIn
      count(request, `account:${userId}`, perAccount)
      request.caller = { account: { userId, signInId, email: '', secondFactorPending: false, recoveredAt: null } }
    },

    /** The same for the sockets of one kind. */
    admitKind(request: FastifyRequest, { userId }: OpenSignIn, { kind, most }: { kind: string; most: number }): void {
      count(request, `${kind}:${userId}`, most)
    },

    /** Keeps a socket while its other side is there and its sign-in stands; answers how to send to it. */
    attend(socket: WebSocket, { request, signIn, onRevoked, provesLifeByMessages = false }: Attended): SendQueue {
      const queue = resources.sends.open(socket, callerOf(request, signIn?.userId))
      const heartbeat = { socket, queue, provesLifeByMessages, stalledReadMs: resources.limits.stalledReadMs }
      const revoked = onRevoked && (() => onRevoked(queue))
      const leave = [keepAlive(heartbeat), ...(signIn ? endWith(signIn, socket, revoked) : [])]
      // A socket that breaks a rule is being closed with the reason; there is nothing to add.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        for (const stop of leave) stop()
      })
      return queue
    },
  }
}

interface Attended {
  readonly request: FastifyRequest
  /** Null for a visitor. */
  readonly signIn: OpenSignIn | null
  /** Called before the socket is closed because its sign-in has ended. */
  readonly onRevoked?: (queue: SendQueue) => void
  /**
   * Where the other side sends in bulk, its answer to a ping waits behind its own messages, so these count as well.
   */
  readonly provesLifeByMessages?: boolean
}

export type SocketDoor = ReturnType<typeof createSocketDoor>

interface Heartbeat {
  readonly socket: WebSocket
  readonly queue: SendQueue
  readonly provesLifeByMessages: boolean
  readonly stalledReadMs: number
}

/** Ends a socket whose other side has missed two pings, or has stopped reading. Bytes alone are no sign of life. */
function keepAlive({ socket, queue, provesLifeByMessages, stalledReadMs }: Heartbeat): () => void {
  let missed = 0
  const isAlive = (): void => {
    missed = 0
  }
  socket.on('pong', isAlive)
  if (provesLifeByMessages) socket.on('message', isAlive)
  const timer = setInterval(() => {
    // Nothing is heard of a socket that this server has paused.
    missed = socket.isPaused ? 0 : missed + 1
    if (missed > 2 || queue.stalledMs() > stalledReadMs) return socket.terminate()
    socket.ping()
  }, socketLimits.pingEveryMs)
  return () => clearInterval(timer)
}
