import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import type { Link } from '../channel.ts'
import type { ExchangeStateKeeper } from '../exchange-state.ts'
import type { FastMessage } from './fast-messages.ts'
import type { TransferNotes } from './transfer-notes.ts'

/** Closes file keys up for the other device, and opens those that come from it. */
export interface KeyWrap {
  wrap(key: Bytes): Promise<string>
  unwrap(wrapped: string): Promise<Bytes>
}

/** A link, and the keys that belong to it. */
export interface KeyedLink {
  readonly link: Link
  readonly keys: KeyWrap
}

/** What both directions of an exchange work with. */
export interface ExchangeParts extends Pick<ExchangeStateKeeper, 'follow'> {
  readonly clock: Clock
  readonly notes: TransferNotes
  /** What the other device is called. */
  readonly peerName: string
  readonly say: (message: FastMessage) => void
  /** Aborted when the portal is over. */
  readonly over: AbortSignal
  /** Whether what broke off is left to a later page. */
  readonly isForLater: () => boolean
}
