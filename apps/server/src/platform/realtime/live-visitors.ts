import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

/** Takes over an open socket. */
export type SocketHandler = (socket: WebSocket, request: FastifyRequest) => void

/** Clients that subscribe without an account. */
export interface LiveVisitors {
  /** Resolves to null when the ticket is not one of theirs. */
  redeem(ticket: string): Promise<SocketHandler | null>
}
