import type { ApiError } from '../errors.ts'
import type { Observable } from '../observable.ts'
import type { OutgoingFile } from './channel.ts'
import type { PortalError, PortalErrorCode } from './errors.ts'
import type { ExchangeState } from './exchange-state.ts'
import type { InvitationKind } from './pairing/invite.ts'
import type { PortalRole } from './pairing/pake.ts'
import type { Invitation, JoinInput, PortalOptions } from './pairing/room-code.ts'
import type { ResumeToken } from './pairing/signalling.ts'
import type { InterruptedTransfer } from './transfer/sender.ts'

/** What a later page needs to reconnect to a portal, as long as the server holds its slot. Stored in IndexedDB. */
export interface PersistedSlot {
  readonly role: PortalRole
  readonly seat: ResumeToken
  /** The re-pairing key, which proves to the other device that the two have paired. It is not extractable. */
  readonly again: CryptoKey
  /** Null when the server may know the code. */
  readonly mode: 'pin' | 'link' | null
  readonly peerName: string
  readonly pictures: readonly string[]
  /** Whether this device's IP address is hidden from the other device. */
  readonly isRelayOnly: boolean
}

/** The visible state of a portal. */
export interface PortalState {
  readonly mode: 'menu' | 'connecting' | 'create' | 'connected'
  readonly role: PortalRole | null
  /** The invitation that this device shows, or the code it joined with. */
  readonly invitation: Invitation | { readonly pin: string } | null
  /** The code prefix of the link that this device joined with. */
  readonly joinedPrefix: string | null
  /** Whether the limit of used-up codes is reached; no further one is drawn until `renewInvitation` is called. */
  readonly isCodeLimitReached: boolean
  readonly isConnected: boolean
  readonly peerName: string
  /** How the other device was verified; null if it was not. */
  readonly verifiedBy: 'link' | 'pin' | null
  readonly path: 'direct' | 'relayed' | null
  /** Four emoji (SAS) that match on both screens unless the connection is intercepted; empty with a legacy peer. */
  readonly sasEmoji: readonly string[]
  /** Why the portal could not be opened or has ended. */
  readonly error: PortalError | ApiError | null
  /** What happened without ending the portal. */
  readonly notice: PortalErrorCode | null
  readonly closedByPeer: boolean
  readonly exchange: ExchangeState
}

export interface Portal {
  readonly state: Observable<PortalState>
  create(options?: PortalOptions): void
  /** Creates a portal with the options of the last one. */
  createAgain(): void
  join(input: JoinInput): void
  /** Draws another code, or a link that the digits alone do not open, after codes were used up. */
  renewInvitation(kind: InvitationKind): void
  /** Reconnects to the portal of an earlier page. */
  reconnect(slot: PersistedSlot): void
  /** Resumes a transfer that an earlier page started to send, with the same files. Rejects with a `PortalError`. */
  resume(interrupted: InterruptedTransfer, files: readonly OutgoingFile[]): Promise<void>
  /** Rejects with a `PortalError`. */
  send(files: readonly OutgoingFile[]): Promise<void>
  answer(isAccepted: boolean): void
  /** Cancels the transfer in one direction; the portal stays open. */
  cancel(direction: 'sending' | 'receiving'): void
  dismiss(): void
  close(): void
}

export const closedState: PortalState = {
  mode: 'menu',
  role: null,
  invitation: null,
  joinedPrefix: null,
  isCodeLimitReached: false,
  isConnected: false,
  peerName: '',
  verifiedBy: null,
  path: null,
  sasEmoji: [],
  error: null,
  notice: null,
  closedByPeer: false,
  exchange: { offer: null, sending: null, receiving: null },
}
