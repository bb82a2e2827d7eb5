import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { KeyMode, ProofOfWork, Session } from '@sallyport/contract/session-shapes'
import { apiError } from '../../../errors.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { hashToken } from '../../../token-hash.ts'
import { requireOfferedLifetime } from '../../files/uploads/file-checks.ts'
import { describeSession } from '../describe-session.ts'
import type { SessionServiceDeps } from '../session-service-deps.ts'
import { isTrivial } from './pin.rules.ts'
import { requirePin, type SessionMembership, sessionNotFound } from './session-access.ts'

interface CreateSessionInput {
  readonly account: Account
  readonly address: string
  readonly pin: string | undefined
  readonly expirationMinutes: number | undefined
  readonly keyMode: KeyMode
  readonly linkCheck: string | undefined
}

interface JoinSessionInput {
  readonly account: Account | null
  readonly address: string
  readonly pin: string | undefined
  readonly joinRequestToken: string | undefined
  readonly linkCheck: string | undefined
  readonly work: ProofOfWork | undefined
}

export interface JoinedSession {
  readonly session: Session
  readonly participant_token: string
}

/** Creates sessions and admits callers to them. */
export function createJoinService(deps: SessionServiceDeps) {
  const { sessions, participants, waitingList, keyShares, guard, sessionAccess, rateLimiter, now } = deps

  type Caller = Pick<JoinSessionInput, 'account' | 'address'>

  async function addParticipant(membership: SessionMembership, { account, address }: Caller): Promise<JoinedSession> {
    const { session, isCreator } = membership
    const token = randomBytes(32).toString('base64url')
    const newParticipant = {
      id: randomUUIDv7(),
      sessionId: session.id,
      userId: account?.userId ?? null,
      isCreator,
      tokenHash: hashToken(token),
      addressHash: guard.hashAddress(session.id, address),
    }
    const maxParticipants =
      sessionLimits.participants + (sessionAccess.isMember(membership) ? sessionLimits.reservedMemberSlots : 0)
    const participant = await participants.add(newParticipant, now(), maxParticipants)
    if (participant === 'ended') throw sessionNotFound()
    if (participant === 'full') throw apiError('SESSION_FULL')
    deps.scheduleParticipantsUpdate(session.id)
    const caller = { session, participant, isCreator, identifiedBy: 'token' } as const
    return { session: await describeSession(deps, caller), participant_token: token }
  }

  /** Finds the session of this PIN if the caller can join it; null in every other case. */
  async function findJoinable(input: JoinSessionInput, pin: string): Promise<SessionMembership | null> {
    const session = await sessions.findByPin(guard.hashPin(pin), now())
    const membership = await sessionAccess.findMembership(session, input.account)
    if (!membership) return null
    if (input.linkCheck !== undefined && input.linkCheck !== membership.session.linkCheck) return null
    if (sessionAccess.isMember(membership)) return membership
    return membership.session.isLocked ? null : membership
  }

  /**
   * Admits a caller whom the creator approved, whatever the budget of the day. Null when the token is not a join
   * request's.
   */
  async function joinByRequest(token: string, input: JoinSessionInput): Promise<JoinedSession | null> {
    const session = await waitingList.findAdmitted(token)
    if (!session) return null
    await requirePlace(session.id)
    const membership = await sessionAccess.findMembership(session, input.account)
    if (!membership || !(await waitingList.consume(token))) throw sessionNotFound()
    return addParticipant(membership, input)
  }

  async function requirePlace(sessionId: string): Promise<void> {
    if ((await participants.countPresent(sessionId, now())) >= sessionLimits.participants)
      throw apiError('SESSION_FULL')
  }

  /** Null for everyone who is not a member by their account. */
  async function findForMember(input: JoinSessionInput, pin: string): Promise<SessionMembership | null> {
    const membership = input.account && (await findJoinable(input, pin))
    return membership && sessionAccess.isMember(membership) ? membership : null
  }

  /** The link of a private session proves itself, so its PIN is no guess. */
  async function findForLink(input: JoinSessionInput, pin: string): Promise<SessionMembership> {
    const membership = await findJoinable(input, pin)
    if (!membership) throw sessionNotFound()
    return membership
  }

  async function findForStranger(input: JoinSessionInput, pin: string): Promise<SessionMembership> {
    const { account, address, work } = input
    const guess = { address, userId: account?.userId, work, createError: sessionNotFound }
    const result = await guard.guess(guess, () => findJoinable(input, pin))
    if (result.isConcealed) throw waitingList.requestApprovalConcealed(result.found?.session ?? null, address)
    if (result.found.session.isPinExposed) throw await waitingList.requestApproval(result.found.session, address)
    return result.found
  }

  return {
    async create(input: CreateSessionInput): Promise<JoinedSession> {
      const { account, pin: text, expirationMinutes, keyMode, linkCheck } = input
      const pin = requirePin(text)
      if (expirationMinutes !== undefined) requireOfferedLifetime(expirationMinutes, 'session')
      if ((keyMode === 'secret') !== (linkCheck !== undefined)) {
        throw apiError('BAD_REQUEST', { details: { fields: ['link_check'] } })
      }
      await rateLimiter.require(`new session|${account.userId}`, rateLimits.newSessionsPerAccount)
      // The project's own clients draw another PIN; a client of the bare specification may have been given this one by
      // its user.
      if (keyMode !== 'pin' && isTrivial(pin)) throw apiError('PIN_TAKEN')
      const id = randomUUIDv7()
      const outcome = await sessions.add(
        {
          id,
          creatorId: account.userId,
          pinHash: guard.hashPin(pin),
          keyMode,
          linkCheck: linkCheck ?? null,
          expirationMinutes: expirationMinutes ?? sessionLimits.defaultMinutes,
          createdAt: now(),
          sealedShare: keyMode === 'pin' ? null : keyShares.create(id),
        },
        now(),
      )
      if (outcome === 'too-many') throw apiError('TOO_MANY_SESSIONS')
      const session = outcome === 'taken' ? null : await sessions.find(id, now())
      if (!session) throw apiError('PIN_TAKEN')
      return addParticipant({ session, participant: null, isCreator: true }, input)
    },

    async join(input: JoinSessionInput): Promise<JoinedSession> {
      const pin = requirePin(input.pin)
      const byRequest = input.joinRequestToken === undefined ? null : await joinByRequest(input.joinRequestToken, input)
      if (byRequest) return byRequest

      const member = await findForMember(input, pin)
      if (member) return addParticipant(member, input)
      const byLink = input.linkCheck !== undefined
      const membership = byLink ? await findForLink(input, pin) : await findForStranger(input, pin)
      await requirePlace(membership.session.id)
      if (membership.session.asksApproval) throw await waitingList.requestApproval(membership.session, input.address)
      return addParticipant(membership, input)
    },
  }
}
