import type { PortalRole } from './proof.ts'

/** A device that cannot prove the code, as the person is asked about it. */
export interface UnverifiedPeer {
  /** The role of this device. */
  readonly role: PortalRole
  /** The other device can prove the code, but the server may know it from the address it was in. */
  readonly isCodeFromAddress?: boolean
  /** What the server says it is called, which nobody has proved; empty where it says nothing. */
  readonly name: string
  /** Aborted when the question is pointless, because the other device has left. */
  readonly signal: AbortSignal
}

/** Asks the person whether to connect to a device that is not verified. Nothing of that device is handled before. */
export type ConfirmUnverified = (peer: UnverifiedPeer) => Promise<boolean>
