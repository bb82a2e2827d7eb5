import { socketLimits } from '@sallyport/contract/limits'
import type { TicketPurpose } from '@sallyport/contract/live'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Bus } from '../bus/bus.ts'
import { refuse } from '../errors.ts'
import { addressBlock, isLocalBlock } from '../http/address.ts'
import { type Revocation, revokedTopic } from './announce.ts'
import type { OpenSignIn } from './ended-watch.ts'
import { createOpenSockets } from './open-sockets.ts'
import type { Tickets } from './tickets.ts'

interface Parts {
  readonly tickets: Tickets
  readonly bus: Bus
  /** Origins a page of ours can have; asked for each connection. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** Keeps an eye on the sign-in behind an open socket until the answer is called. */
  readonly watch: (signIn: OpenSignIn) => () => void
  /** How many sockets an account may hold. */
  readonly perAccount?: number
}

/** What every socket shares: who comes in, how many, and until when. */
export function createSocketDoor({ tickets, bus, isOwnOrigin, watch, perAccount = socketLimits.perAccount }: Parts) {
  const open = createOpenSockets()

  function count(request: FastifyRequest, key: string, most: number): void {
    const leave = open.enter(key, most)
    if (!leave) throw refuse('RATE_LIMITED')
    const { socket: line } = request.raw
    // Also when the connection never becomes a socket, or was given up while its ticket was looked for.
    if (line.destroyed) leave()
    else line.once('close', leave)
  }

  const endWith = (signIn: OpenSignIn, socket: WebSocket, onRevoked: Attended['onRevoked']) => [
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

    /** Lets the holder in, unless an account or an address holds too many sockets already; null stands for a visitor. */
    admit(request: FastifyRequest, signIn: OpenSignIn | null): void {
      const address = addressBlock(request.ip)
      // One address of a local network may stand for many people, or for a proxy.
      if (!isLocalBlock(address)) count(request, `address:${address}`, socketLimits.perAddress)
      if (!signIn) return
      const { userId, signInId } = signIn
      count(request, `account:${userId}`, perAccount)
      request.caller = { account: { userId, signInId, email: '', secondFactorPending: false, recoveredAt: null } }
    },

    /** The same for the sockets of one kind. */
    admitKind(request: FastifyRequest, { userId }: OpenSignIn, { kind, most }: { kind: string; most: number }): void {
      count(request, `${kind}:${userId}`, most)
    },

    /** Keeps a socket while its other side is there and its sign-in stands. */
    attend(socket: WebSocket, { request, signIn, onRevoked }: Attended): void {
      const leave = [keepAlive(socket, request), ...(signIn ? endWith(signIn, socket, onRevoked) : [])]
      // A socket that breaks a rule is being closed with the reason; there is nothing to add.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        for (const stop of leave) stop()
      })
    },
  }
}

interface Attended {
  readonly request: FastifyRequest
  /** Null for a visitor. */
  readonly signIn: OpenSignIn | null
  /** Called before the socket is closed because its sign-in has ended. */
  readonly onRevoked?: () => void
}

export type SocketDoor = ReturnType<typeof createSocketDoor>

/** Ends a socket whose other side has missed two pings, and has sent nothing else either. */
function keepAlive(socket: WebSocket, { raw: { socket: line } }: FastifyRequest): () => void {
  let missed = 0
  let heardBytes = line.bytesRead
  const timer = setInterval(() => {
    // Whoever is made to wait before being read from cannot be heard.
    const isHeard = socket.isPaused || line.bytesRead > heardBytes
    heardBytes = line.bytesRead
    missed = isHeard ? 0 : missed + 1
    if (missed > 2) return socket.terminate()
    socket.ping()
  }, socketLimits.pingEveryMs)
  return () => clearInterval(timer)
}
