import { refuse } from '../errors.ts'
import type { Account } from '../http/caller.ts'
import type { PinGuard } from '../limits/pin-guard.ts'
import { hashOfToken } from '../token-hash.ts'
import type { ParticipantsStore } from './participants.store.ts'
import { readPin } from './pin.rules.ts'
import type { ParticipantRecord, SessionRecord } from './session-records.store.ts'
import type { SessionsStore } from './sessions.store.ts'

/** What a caller shows to be let in. */
export interface Shown {
  readonly token: string | undefined
  readonly pin: string | undefined
  readonly account: Account | null
  readonly address: string
}

/** Somebody who may be in a session. */
export interface Visit {
  readonly session: SessionRecord
  /** Null for who has shown the PIN alone. */
  readonly participant: ParticipantRecord | null
  readonly isCreator: boolean
}

interface Parts {
  readonly sessions: SessionsStore
  readonly participants: ParticipantsStore
  readonly guard: PinGuard
  readonly now: () => number
}

const seenAgainAfterMs = 15_000

/** One refusal for every session nobody gets into, so that it tells nothing. */
export const notFound = () => refuse('SESSION_NOT_FOUND')

/** The PIN itself. Refuses in the words for people whatever is none. */
export function requirePin(text: string | undefined): string {
  const read = readPin(text ?? '')
  if ('fault' in read) throw refuse(read.fault)
  return read.pin
}

/** Decides who may be in a session: holders of its token, people who know its PIN, and accounts that have joined it. */
export function createEntrance({ sessions, participants, guard, now }: Parts) {
  async function enterByToken(token: string, sessionId: string | null): Promise<Visit> {
    const participant = await participants.findByToken(hashOfToken(token))
    if (!participant || (sessionId !== null && participant.sessionId !== sessionId)) throw notFound()
    const session = await sessions.find(participant.sessionId, now())
    if (!session) throw notFound()
    if (participant.seenAt < now() - seenAgainAfterMs) await participants.see([participant.id], now())
    return { session, participant, isCreator: participant.isCreator }
  }

  async function visitOf(session: SessionRecord, account: Account | null): Promise<Visit> {
    const participant = account && (await participants.findByUser(session.id, account.userId))
    return { session, participant, isCreator: account !== null && session.creatorId === account.userId }
  }

  const isMember = ({ participant, isCreator }: Visit): boolean => participant !== null || isCreator

  async function enterByPin({ pin: text, account, address }: Shown, sessionId: string | null): Promise<Visit> {
    const pinHash = guard.hashPin(requirePin(text))
    const attempt = {
      address,
      isAnonymous: account === null,
      refusal: notFound,
      ...(sessionId !== null && { place: sessionId }),
    }
    return guard.pass(attempt, async () => {
      const session = await sessions.findByPin(pinHash, now())
      const visit = session && (await visitOf(session, account))
      if (!visit || (sessionId !== null && visit.session.id !== sessionId)) return null
      // Who was removed, or is to be kept out, knows the PIN as well as everybody else.
      const pinSuffices = !visit.session.isLocked && !visit.session.asksApproval
      return pinSuffices || isMember(visit) ? visit : null
    })
  }

  async function enterByAccount(account: Account, sessionId: string | null): Promise<Visit> {
    const session = sessionId === null ? null : await sessions.find(sessionId, now())
    const visit = session && (await visitOf(session, account))
    if (!visit || !isMember(visit)) throw notFound()
    return visit
  }

  return {
    visitOf,
    isMember,
    /** Refuses, in the same words whatever the reason, whoever may not be in it. Null stands for any session. */
    async enter(sessionId: string | null, shown: Shown): Promise<Visit> {
      if (shown.token !== undefined) return enterByToken(shown.token, sessionId)
      if (shown.pin !== undefined) return enterByPin(shown, sessionId)
      if (shown.account) return enterByAccount(shown.account, sessionId)
      throw notFound()
    },
  }
}

export type Entrance = ReturnType<typeof createEntrance>

/** Refuses everybody but the creator of the session. */
export function requireCreator({ isCreator }: Visit): void {
  if (!isCreator) throw refuse('FORBIDDEN')
}
