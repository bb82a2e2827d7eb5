import { sessionLimits } from '@sallyport/contract/limits'
import {
  anonymousParticipant,
  type Participant,
  type Session,
  type SessionSettings,
} from '@sallyport/contract/session-shapes'
import type { Visit } from './entrance.ts'
import type { SessionParts } from './session-parts.ts'
import type { ParticipantRecord, SessionRecord } from './session-records.store.ts'

type Parts = Pick<SessionParts, 'participants' | 'knocks' | 'shares' | 'keyShares' | 'now'>

export const settingsOf = (session: SessionRecord): SessionSettings => ({
  default_file_expiration_minutes: session.expirationMinutes,
  locked: session.isLocked,
  approval: session.asksApproval,
})

/** A session as one of those who are in it sees it. */
export async function describeSession(parts: Parts, { session, participant, isCreator }: Visit): Promise<Session> {
  const { knocks, keyShares, now } = parts
  const sealedShares = await parts.shares.list(session.id, participant.id)
  const shares = sealedShares.map((sealed) => keyShares.open(session.id, sealed))
  const waiting = isCreator ? await knocks.listWaiting(session.id, now()) : []
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
    participants: await listParticipants(parts, session.id),
    knocks: waiting.map(({ id, code, createdAt }) => ({ id, code, created_at: createdAt })),
  }
}

async function listParticipants(
  { participants, now }: Pick<Parts, 'participants' | 'now'>,
  sessionId: string,
): Promise<Participant[]> {
  return (await participants.list(sessionId, now())).map((one) => asParticipant(one, now()))
}

const asParticipant = (one: ParticipantRecord, now: number): Participant => ({
  id: one.id,
  participant_name: one.sealedName ?? anonymousParticipant,
  is_creator: one.isCreator,
  present: one.seenAt > now - sessionLimits.presentMs,
  joined_at: one.joinedAt,
})

/** Sends the list of participants to all of them. */
export async function sendPeers(
  parts: Pick<SessionParts, 'participants' | 'announceToSession' | 'now'>,
  sessionId: string,
): Promise<void> {
  const participants = await listParticipants(parts, sessionId)
  parts.announceToSession(sessionId, { type: 'session.peers', participants })
}
