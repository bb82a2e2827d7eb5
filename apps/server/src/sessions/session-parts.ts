import type { PinGuard } from '../limits/pin-guard.ts'
import type { AnnounceToSession } from '../live/announce.ts'
import type { Entrance } from './entrance.ts'
import type { KeyShares } from './key-shares.ts'
import type { KnocksStore } from './knocks.store.ts'
import type { ParticipantsStore } from './participants.store.ts'
import type { SessionsStore } from './sessions.store.ts'

/** What opening, joining and ending sessions takes. */
export interface SessionParts {
  readonly sessions: SessionsStore
  readonly participants: ParticipantsStore
  readonly knocks: KnocksStore
  readonly keyShares: KeyShares
  readonly guard: PinGuard
  readonly entrance: Entrance
  readonly announceToSession: AnnounceToSession
  /** Tells a single participant that they are out. */
  readonly announceRemovalOf: (participantId: string) => void
  /** Removes the files that sessions which are over have left. */
  readonly sweepEnded: () => Promise<void>
  readonly now: () => number
}

/** Whom a ticket was made for; null stands for who has shown the PIN alone. */
export interface SessionHolder {
  readonly purpose: 'session'
  readonly sessionId: string
  readonly participantId: string | null
}
