import type { RelayedSignal, ServerSignal } from '@sallyport/contract/portals'

/** A signal between the two devices, which seal it once they are verified. */
export type PeerSignal = Extract<RelayedSignal, { data: unknown }>

/** What a device knows of the other one. */
export interface ConnectionState {
  readonly role: 'creator' | 'joiner'
  /** Whether the other device has a signalling connection over which both share the current keys. */
  readonly isPeerPresent: boolean
  /** Whether the other device has left for good. */
  readonly hasPeerLeft: boolean
}

export type ConnectionEffect =
  | 'start-re-pairing'
  /** Gives up the current try to open a link. */
  | 'abort-try'
  | 'close-link'
  /** Opens a direct attempt that answers an offer. */
  | 'open-attempt'
  | 'pass-signal-to-attempt'
  | 'retry-ice-restart'
  | 'end-portal'

export interface ConnectionStep {
  readonly state: ConnectionState
  readonly effects: readonly ConnectionEffect[]
}

type PresenceSignal = Extract<ServerSignal, { type: 'px-rejoined' | 'px-back' | 'peer-left' }>

/** The server reports that one of the two devices is back, away or gone. */
export function receivePresence(state: ConnectionState, signal: PresenceSignal, hasLink: boolean): ConnectionStep {
  const away = { state: { ...state, isPeerPresent: false }, effects: [] }
  if (signal.type !== 'peer-left') {
    const isPeerBack = signal.type === 'px-back' || signal.isOtherHere
    return isPeerBack ? { state, effects: ['start-re-pairing'] } : away
  }
  if (signal.px?.away === true) return away
  // A link may stay open while the other device has no signalling connection.
  const isOver = state.isPeerPresent || !hasLink
  return { state: { ...state, hasPeerLeft: true }, effects: isOver ? ['end-portal'] : [] }
}

/** Both devices have agreed on new keys. */
export const receiveKeys = (state: ConnectionState): ConnectionStep => ({
  state: { ...state, isPeerPresent: true },
  effects: ['abort-try', 'retry-ice-restart'],
})

/** The other device sent a signal, which was opened with the current keys. */
export function receivePeerSignal(state: ConnectionState, signal: PeerSignal): ConnectionStep {
  // Only the creator makes offers, so a device without a link asks it for another one.
  if (signal.type === 'px-lost') return { state, effects: state.role === 'creator' ? ['close-link', 'abort-try'] : [] }
  // A new offer starts a new link and closes the old one; an ICE restart keeps the existing one.
  const isNewOffer = signal.type === 'webrtc-offer' && state.role === 'joiner' && restartIndex(signal) === 0
  return {
    state,
    effects: isNewOffer ? ['close-link', 'open-attempt', 'pass-signal-to-attempt'] : ['pass-signal-to-attempt'],
  }
}

/** The number of the ICE restart that an offer or answer belongs to, from 1; 0 for the initial one. */
export function restartIndex({ data }: PeerSignal): number {
  const { restart } = (data ?? {}) as { restart?: unknown }
  return typeof restart === 'number' ? restart : 0
}
