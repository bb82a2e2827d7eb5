import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import type { Account } from '../../../platform/http/caller.ts'
import type { PinGuard } from '../../../platform/rate-limit/pin-guard.ts'
import { hashToken } from '../../../token-hash.ts'
import type { ParticipantRecord, SessionRecord } from '../session-records.store.ts'
import type { SessionStores } from '../session-stores.store.ts'
import { attribute, type IdentifiedBy } from './attribution.rules.ts'
import { parsePin } from './pin.rules.ts'

/** The credentials of a caller. */
export interface SessionCredentials {
  readonly token: string | undefined
  readonly pin: string | undefined
  readonly account: Account | null
  readonly address: string
}

/** A session and the caller's relation to it; `participant` is null for a caller who has not joined. */
export interface SessionMembership {
  readonly session: SessionRecord
  readonly participant: ParticipantRecord | null
  readonly isCreator: boolean
}

/** The participant who makes a call. */
export interface SessionCaller extends SessionMembership {
  readonly participant: ParticipantRecord
  readonly identifiedBy: IdentifiedBy
}

interface SessionAccessDeps extends Pick<SessionStores, 'sessions' | 'participants'>, Pick<ServerContext, 'now'> {
  readonly guard: PinGuard
}

const seenIntervalMs = 15_000

/** One error for every session that a caller cannot access, so that it reveals nothing. */
export const sessionNotFound = () => apiError('SESSION_NOT_FOUND')

/** Returns the PIN. Throws the specified user error when it is missing or malformed. */
export function requirePin(text: string | undefined): string {
  const parsed = parsePin(text ?? '')
  if ('error' in parsed) throw apiError(parsed.error)
  return parsed.pin
}

/**
 * Decides who can access a session: holders of a participant's token, accounts that have joined, and callers that show
 * the PIN from an address that one of its participants joined from.
 */
export function createSessionAccess({ sessions, participants, guard, now }: SessionAccessDeps) {
  /** Records the participant as present: nobody reads unseen. */
  async function markSeen(caller: SessionCaller): Promise<SessionCaller> {
    const { id, seenAt, isTokenUsed } = caller.participant
    if (caller.identifiedBy === 'token' && !isTokenUsed) await participants.markTokenUsed(id, now())
    else if (seenAt < now() - seenIntervalMs) await participants.markSeen([id], now())
    return caller
  }

  async function authorizeByToken(token: string, sessionId: string | null): Promise<SessionCaller> {
    const participant = await participants.findByToken(hashToken(token))
    if (!participant || (sessionId !== null && participant.sessionId !== sessionId)) throw sessionNotFound()
    const session = await sessions.find(participant.sessionId, now())
    if (!session) throw sessionNotFound()
    return markSeen({ session, participant, isCreator: participant.isCreator, identifiedBy: 'token' })
  }

  /** Finds the relation of an account to a session. Takes as long without a session, which gives null. */
  async function findMembership(
    session: SessionRecord | null,
    account: Account | null,
  ): Promise<SessionMembership | null> {
    const participant = account && (await participants.findByUser(session?.id ?? '', account.userId))
    return session && { session, participant, isCreator: account !== null && session.creatorId === account.userId }
  }

  /** Identifies the participant of a call by PIN alone. Takes as long for a wrong PIN as for a right one. */
  async function identify(credentials: SessionCredentials, sessionId: string | null): Promise<SessionCaller | null> {
    const { pin, account, address } = credentials
    const session = await sessions.findByPin(guard.hashPin(requirePin(pin)), now())
    const known = session && (sessionId === null || session.id === sessionId) ? session : null
    const userId = account?.userId ?? null
    const id = known?.id ?? ''
    const candidates = await participants.listOfCaller(id, { userId, addressHash: guard.hashAddress(id, address) })
    // People behind one address share it, so it must not readmit a caller that the creator keeps out.
    const allowAddress = known !== null && !known.isLocked && !known.asksApproval
    const attributed = attribute(candidates, userId, allowAddress)
    // The PIN is right and the caller did join: several clients behind one address must not lock it by polling.
    if (known && !attributed && attribute(candidates, userId, true)) throw sessionNotFound()
    if (!known || !attributed) return null
    return {
      session: known,
      isCreator: attributed.identifiedBy === 'account' && known.creatorId === userId,
      ...attributed,
    }
  }

  async function authorizeByPin(credentials: SessionCredentials, sessionId: string | null): Promise<SessionCaller> {
    requirePin(credentials.pin)
    const { account, address } = credentials
    const caller = { address, userId: account?.userId, createError: sessionNotFound }
    const call = sessionId === null ? caller : { ...caller, target: sessionId }
    return markSeen(await guard.check(call, () => identify(credentials, sessionId)))
  }

  async function authorizeByAccount(account: Account, sessionId: string | null): Promise<SessionCaller> {
    const session = sessionId === null ? null : await sessions.find(sessionId, now())
    const membership = await findMembership(session, account)
    if (!membership?.participant) throw sessionNotFound()
    return markSeen({ ...membership, participant: membership.participant, identifiedBy: 'account' })
  }

  return {
    findMembership,
    isMember: ({ participant, isCreator }: SessionMembership): boolean => participant !== null || isCreator,
    /** Returns the participant, or throws the same error whatever the reason. A null `sessionId` means any session. */
    async authorize(sessionId: string | null, credentials: SessionCredentials): Promise<SessionCaller> {
      if (credentials.token !== undefined) return authorizeByToken(credentials.token, sessionId)
      if (credentials.pin !== undefined) return authorizeByPin(credentials, sessionId)
      if (credentials.account) return authorizeByAccount(credentials.account, sessionId)
      throw sessionNotFound()
    },
  }
}

export type SessionAccess = ReturnType<typeof createSessionAccess>

/** Throws FORBIDDEN for everyone but the creator of the session. */
export function requireCreator({ isCreator }: SessionMembership): void {
  if (!isCreator) throw apiError('FORBIDDEN')
}

/** The slot of a participant for one list. */
export const listSlotOf = (
  list: string,
  { address, closed }: { readonly address: string; readonly closed: Promise<void> },
  { session, participant }: SessionCaller,
) => ({
  key: `${list}|${session.id}|${participant.id}`,
  caller: callerKey(address, participant.userId ?? undefined),
  closed,
})
