import type { WebSocket } from 'ws'
import type { Job } from '../jobs/scheduler.ts'
import type { Side } from './room.rules.ts'

export interface RelayParts {
  readonly now: () => number
  readonly bytesPerRoom: number
  readonly bytesPerDay: number
}

/** A place for one of the two devices of a pair. */
export interface RelayPlace {
  readonly pair: string
  readonly side: Side
  readonly address: string
  readonly until: number
}

/** Carries frames between the two devices of a room as they are: it stores none, and can open none. */
export interface Relay {
  /** A token for each of two devices, or null while this address has as many pairs as it may. */
  reserve(address: string): Promise<{ readonly creator: string; readonly joiner: string } | null>
  /** Takes a token once; null when it was made for nobody, or too long ago. */
  redeem(token: string): Promise<RelayPlace | null>
  /** Joins a socket to its pair; frames that come before the other one is there are held back in its own line. */
  connect(place: RelayPlace, socket: WebSocket): void
  /** Ends pairs of which one never came. */
  readonly job: Job
}
