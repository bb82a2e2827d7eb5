import { legacyPortalLimits } from '@sallyport/contract/limits'
import type { PairKeys, PortalRole } from './pake.ts'
import type { Signalling } from './signalling.ts'

/** A paired device. */
export interface PairingResult {
  readonly peerName: string
  /**
   * How the code was proved; null if it was not and the user agreed to connect. The mode is null if the server may know
   * the code and the user agreed to that.
   */
  readonly pake: { readonly mode: 'pin' | 'link' | null; readonly keys: PairKeys } | null
}

export interface PairingDeps {
  readonly signalling: Signalling
  readonly origin: string
  readonly deviceName: string
  readonly confirmUnverified: ConfirmUnverified
  readonly signal: AbortSignal
}

export const pairingTimeoutMs = legacyPortalLimits.roomTimeoutMs

/** An unverified connection that the user is asked to confirm. */
export interface UnverifiedPeer {
  /** The role of this device. */
  readonly role: PortalRole
  /** Whether the other device can prove the code, but the server may know it from a URL. */
  readonly isCodeFromAddress?: boolean
  /** The unauthenticated device name from the server; may be empty. */
  readonly name: string
  /** Aborted when the question is moot because the other device has left. */
  readonly signal: AbortSignal
}

/** Asks the user whether to connect to an unverified device. Nothing of that device is processed before the answer. */
export type ConfirmUnverified = (peer: UnverifiedPeer) => Promise<boolean>
