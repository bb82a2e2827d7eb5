import type { PublishToSession } from '../../platform/events/publish.ts'
import type { PinGuard } from '../../platform/rate-limit/pin-guard.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { JoinRequestsStore } from './admission/join-requests.store.ts'
import type { KeySharesStore } from './admission/key-shares.store.ts'
import type { KeyShares } from './admission/key-shares.ts'
import type { SessionAccess } from './admission/session-access.ts'
import type { WaitingList } from './admission/waiting-list.ts'
import type { ParticipantsStore } from './participants.store.ts'
import type { SessionsStore } from './sessions.store.ts'

/** Dependencies of the services that create, join and end sessions. */
export interface SessionServiceDeps {
  readonly sessions: SessionsStore
  readonly participants: ParticipantsStore
  readonly joinRequests: JoinRequestsStore
  readonly shares: KeySharesStore
  readonly waitingList: WaitingList
  readonly rateLimiter: RateLimiter
  readonly keyShares: KeyShares
  readonly guard: PinGuard
  readonly sessionAccess: SessionAccess
  readonly publishToSession: PublishToSession
  /** Publishes the participant list, at most once a second. */
  readonly scheduleParticipantsUpdate: (sessionId: string) => void
  /** Closes the sockets of one participant, at every node. */
  readonly closeSocketsOf: (participantId: string, reason: 'closed' | 'removed') => void
  /** Deletes the files of ended sessions. */
  readonly sweepEnded: () => Promise<unknown>
  readonly now: () => number
}

/** The participant that a ticket was issued for. */
export interface SessionTicketHolder {
  readonly purpose: 'session'
  readonly sessionId: string
  readonly participantId: string
}
