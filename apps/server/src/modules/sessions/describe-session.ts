import { sessionLimits } from '@sallyport/contract/limits'
import {
  anonymousParticipant,
  type Participant,
  type Session,
  type SessionSettings,
} from '@sallyport/contract/session-shapes'
import type { SessionCaller } from './admission/session-access.ts'
import type { ParticipantRecord, SessionRecord } from './session-records.store.ts'
import type { SessionServiceDeps } from './session-service-deps.ts'

type DescribeSessionDeps = Pick<SessionServiceDeps, 'participants' | 'joinRequests' | 'shares' | 'keyShares' | 'now'>

export const settingsOf = (session: SessionRecord): SessionSettings => ({
  default_file_expiration_minutes: session.expirationMinutes,
  locked: session.isLocked,
  approval: session.asksApproval,
})

/** Describes a session for one of its participants. */
export async function describeSession(
  deps: DescribeSessionDeps,
  { session, participant, isCreator }: SessionCaller,
): Promise<Session> {
  const { joinRequests, keyShares, now } = deps
  const sealedShares = await deps.shares.list(session.id, participant.id)
  const shares = sealedShares.map((sealed) => keyShares.open(session.id, sealed))
  const waiting = isCreator ? await joinRequests.listWaiting(session.id, now()) : []
  return {
    ...settingsOf(session),
    id: session.id,
    is_creator: isCreator,
    key_mode: session.keyMode,
    key_share: shares.at(-1) ?? null,
    earlier_key_shares: shares.slice(0, -1),
    link_check: session.linkCheck,
    created_at: session.createdAt,
    expires_at: session.endsAt,
    participant_id: participant.id,
    participants: await listParticipants(deps, session.id),
    knocks: waiting.map(({ id, code, createdAt }) => ({ id, code, created_at: createdAt })),
  }
}

async function listParticipants(
  { participants, now }: Pick<DescribeSessionDeps, 'participants' | 'now'>,
  sessionId: string,
): Promise<Participant[]> {
  return (await participants.list(sessionId, now())).map((one) => toParticipant(one, now()))
}

const toParticipant = (one: ParticipantRecord, now: number): Participant => ({
  id: one.id,
  participant_name: one.sealedName ?? anonymousParticipant,
  is_creator: one.isCreator,
  present: one.seenAt > now - sessionLimits.presentMs,
  joined_at: one.joinedAt,
})

/** Publishes the participant list to all participants. */
export async function publishParticipants(
  deps: Pick<SessionServiceDeps, 'participants' | 'publishToSession' | 'now'>,
  sessionId: string,
): Promise<void> {
  const participants = await listParticipants(deps, sessionId)
  deps.publishToSession(sessionId, { type: 'session.peers', participants })
}
