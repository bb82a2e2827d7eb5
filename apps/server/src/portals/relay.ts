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

/** Whose bytes of the day a pair uses; its keys are hashed where other nodes see them. */
export interface RelayPayer {
  /** Null for a visitor. */
  readonly account: string | null
  /** The widest block of the address. */
  readonly network: string
  /** An account that was registered and not granted anything since. */
  readonly isTrial: boolean
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

/** A count of bytes, and how far it may go in a day. */
interface DayShare {
  readonly key: string
  readonly most: number
}

/**
 * The counts of a day that the bytes of a payer belong to, all of which have to have room. Visitors share half of the
 * day, and visitors and trial accounts together three quarters, so that the rest stays for other accounts.
 */
export function sharesOf({ account, network, isTrial }: RelayPayer, bytesPerDay: number): readonly DayShare[] {
  const { accountShareOfDay, anonymousShareOfDay, freeShareOfDay, anonymousBytesPerDay } = portalLimits.relay
  const part = (share: number): number => Math.floor(bytesPerDay * share)
  const all = { key: 'all', most: bytesPerDay }
  const free = { key: 'free', most: part(freeShareOfDay) }
  const ofOne = part(accountShareOfDay)
  if (account === null) {
    const visitors = { key: 'visitors', most: part(anonymousShareOfDay) }
    return [all, free, visitors, { key: `visitor:${network}`, most: Math.min(anonymousBytesPerDay, ofOne) }]
  }
  const own = { key: `account:${account}`, most: ofOne }
  return isTrial ? [all, free, own, { key: `trials:${network}`, most: ofOne }] : [all, own]
}
