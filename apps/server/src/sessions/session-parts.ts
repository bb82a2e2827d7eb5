import type { Attempts } from '../limits/attempts.ts'
import type { PinGuard } from '../limits/pin-guard.ts'
import type { AnnounceToSession } from '../live/announce.ts'
import type { Entrance } from './entrance.ts'
import type { KeySharesStore } from './key-shares.store.ts'
import type { KeyShares } from './key-shares.ts'
import type { KnocksStore } from './knocks.store.ts'
import type { ParticipantsStore } from './participants.store.ts'
import type { SessionsStore } from './sessions.store.ts'
import type { WaitingList } from './waiting-list.ts'

/** What opening, joining and ending sessions takes. */
export interface SessionParts {
  readonly sessions: SessionsStore
  readonly participants: ParticipantsStore
  readonly knocks: KnocksStore
  readonly shares: KeySharesStore
  readonly waitingList: WaitingList
  readonly attempts: Attempts
  readonly keyShares: KeyShares
  readonly guard: PinGuard
  readonly entrance: Entrance
  readonly announceToSession: AnnounceToSession
  /** Sends the list of participants to all of them, at most once in a second. */
  readonly announcePeers: (sessionId: string) => void
  /** Ends the sockets of a single participant, at every node. */
  readonly endSocketsOf: (participantId: string, reason: 'closed' | 'removed') => void
  /** Removes the files that sessions which are over have left. */
  readonly sweepEnded: () => Promise<void>
  readonly now: () => number
}

/** The participant that a ticket was made for. */
export interface SessionHolder {
  readonly purpose: 'session'
  readonly sessionId: string
  readonly participantId: string
}
