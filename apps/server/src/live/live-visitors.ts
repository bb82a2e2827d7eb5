import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

/** Takes over an open socket. */
export type Attend = (socket: WebSocket, request: FastifyRequest) => void

/** Those who listen without being signed in. */
export interface LiveVisitors {
  /** Null when the ticket is none of theirs. */
  redeem(ticket: string): Promise<Attend | null>
}
