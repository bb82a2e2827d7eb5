import type { Bytes } from '@sallyport/crypto/portal'
import type { Clock } from '../../clock.ts'
import type { Link } from '../channel.ts'
import type { ExchangeStateStore } from '../exchange-state.ts'
import type { FastMessage } from './fast-messages.ts'
import type { TransferJournal } from './transfer-journal.ts'

/** Wraps file keys for the other device and unwraps those it sends. */
export interface KeyWrap {
  wrap(key: Bytes): Promise<string>
  unwrap(wrapped: string): Promise<Bytes>
}

/** A link and the keys negotiated over it. */
export interface KeyedLink {
  readonly link: Link
  readonly keys: KeyWrap
}

/** Dependencies that both directions of an exchange share. */
export interface ExchangeContext extends Pick<ExchangeStateStore, 'trackTransfer'> {
  readonly clock: Clock
  readonly journal: TransferJournal
  /** The name of the other device. */
  readonly peerName: string
  readonly sendMessage: (message: FastMessage) => void
  /** Aborted when the portal ends. */
  readonly stopSignal: AbortSignal
  /** Whether interrupted transfers are left for a later page to resume. */
  readonly isResumable: () => boolean
}
