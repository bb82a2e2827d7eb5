import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { WebSocket } from 'ws'
import type { Job } from '../../jobs.ts'
import type { SendQueue } from '../../platform/realtime/send-queues.ts'
import type { PeerSide } from './room.rules.ts'

export interface RelayOptions {
  readonly now: () => number
  readonly bytesPerRoom: number
  readonly bytesPerDay: number
  readonly bytesPerSecond: number
  /** Counts the relayed bytes. */
  readonly onRelayed: (bytes: number) => void
}

/** The caller whose daily quota a pair uses; its keys are hashed for other nodes. */
export interface RelayPayer {
  /** Null for a visitor. */
  readonly account: string | null
  /** The widest block of the address. */
  readonly network: string
  /** An account that has only what its registration gave. */
  readonly isTrial: boolean
}

/** An open socket at the relay with its send queue. */
export interface RelayConnection {
  readonly socket: WebSocket
  readonly queue: SendQueue
}

/** Entitles one of the two devices of a pair to connect. */
export interface RelayTicket {
  readonly pair: string
  readonly side: PeerSide
  readonly address: string
  readonly payer: RelayPayer
  readonly until: number
}

/** Relays frames between the two devices of a room unchanged: it stores none, and can decrypt none. */
export interface Relay {
  /**
   * Creates a token for each of two devices; null while the address has the maximum of pairs, or the payer no bytes
   * left.
   */
  reserve(address: string, payer: RelayPayer): Promise<{ readonly creator: string; readonly joiner: string } | null>
  /** Redeems a token once; null when it is unknown or expired. */
  redeem(token: string): Promise<RelayTicket | null>
  /** Adds a socket to its pair; frames sent before the other device connects wait in the socket's own buffer. */
  connect(ticket: RelayTicket, connection: RelayConnection): void
  /** Closes pairs whose second device never connected. */
  readonly job: Job
}

export const day = 24 * 3_600_000

export const createToken = (): string => randomBytes(32).toString('base64url')

/** A counter of bytes and its maximum for a day. */
interface DayQuota {
  readonly key: string
  readonly maxBytes: number
}

/**
 * The daily counters for the bytes of a payer, all of which must have quota left. Visitors share half of the day, and
 * visitors and trial accounts together three quarters, so that the rest stays for other accounts.
 */
export function dayQuotasOf({ account, network, isTrial }: RelayPayer, bytesPerDay: number): readonly DayQuota[] {
  const { accountShareOfDay, anonymousShareOfDay, freeShareOfDay, anonymousBytesPerDay } = portalLimits.relay
  const fraction = (share: number): number => Math.floor(bytesPerDay * share)
  const all = { key: 'all', maxBytes: bytesPerDay }
  const free = { key: 'free', maxBytes: fraction(freeShareOfDay) }
  const perCaller = fraction(accountShareOfDay)
  if (account === null) {
    const visitors = { key: 'visitors', maxBytes: fraction(anonymousShareOfDay) }
    return [all, free, visitors, { key: `visitor:${network}`, maxBytes: Math.min(anonymousBytesPerDay, perCaller) }]
  }
  const own = { key: `account:${account}`, maxBytes: perCaller }
  return isTrial ? [all, free, own, { key: `trials:${network}`, maxBytes: perCaller }] : [all, own]
}
