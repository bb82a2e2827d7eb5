import type { ServerContext } from '../../context.ts'
import type { PinGuard } from '../../platform/rate-limit/pin-guard.ts'
import type { KeyShares } from './admission/key-shares.ts'
import type { SessionAccess } from './admission/session-access.ts'
import type { WaitingList } from './admission/waiting-list.ts'
import type { SessionStores } from './session-stores.store.ts'

/** Dependencies of the services that create, join and end sessions. */
export interface SessionServiceDeps
  extends Pick<SessionStores, 'sessions' | 'participants' | 'joinRequests' | 'shares'>,
    Pick<ServerContext, 'rateLimiter' | 'publishToSession' | 'now'> {
  readonly waitingList: WaitingList
  readonly keyShares: KeyShares
  readonly guard: PinGuard
  readonly sessionAccess: SessionAccess
  /** Publishes the participant list, at most once a second. */
  readonly scheduleParticipantsUpdate: (sessionId: string) => void
  /** Closes the sockets of one participant, at every node. */
  readonly closeSocketsOf: (participantId: string, reason: 'closed' | 'removed') => void
  /** Deletes the files of ended sessions. */
  readonly sweepEnded: () => Promise<unknown>
}

/** The participant that a ticket was issued for. */
export interface SessionTicketHolder {
  readonly purpose: 'session'
  readonly sessionId: string
  readonly participantId: string
}
