import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import type { Job } from '../jobs/scheduler.ts'
import type { SendQueue } from '../resources/send-queues.ts'
import type { Side } from './room.rules.ts'

export interface RelayParts {
  readonly now: () => number
  readonly bytesPerRoom: number
  readonly bytesPerDay: number
  readonly bytesPerSecond: number
  /** Counts what was carried. */
  readonly onCarried: (bytes: number) => void
}

/** Whose bytes of the day a pair uses. */
export interface RelayPayer {
  /** An account, or an address; hashed where other nodes see it. */
  readonly key: string
  readonly isAnonymous: boolean
}

/** An open socket at the relay, and how to send to it. */
export interface RelayConnection {
  readonly socket: WebSocket
  readonly queue: SendQueue
}

/** A place for one of the two devices of a pair. */
export interface RelayPlace {
  readonly pair: string
  readonly side: Side
  readonly address: string
  readonly payer: RelayPayer
  readonly until: number
}

/** Carries frames between the two devices of a room as they are: it stores none, and can open none. */
export interface Relay {
  /** A token for each of two devices, or null while the address has as many pairs, or the payer as many bytes, as it may. */
  reserve(address: string, payer: RelayPayer): Promise<{ readonly creator: string; readonly joiner: string } | null>
  /** Takes a token once; null when it was made for nobody, or too long ago. */
  redeem(token: string): Promise<RelayPlace | null>
  /** Joins a socket to its pair; frames that come before the other one is there are held back in its own line. */
  connect(place: RelayPlace, connection: RelayConnection): void
  /** Ends pairs of which one never came. */
  readonly job: Job
}

/** How many bytes of a day a payer may use. */
export function bytesPerDayOf({ isAnonymous }: RelayPayer, bytesPerDay: number): number {
  const { accountShareOfDay, anonymousBytesPerDay } = portalLimits.relay
  const ofAccount = bytesPerDay * accountShareOfDay
  return isAnonymous ? Math.min(anonymousBytesPerDay, ofAccount) : ofAccount
}
