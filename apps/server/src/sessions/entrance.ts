import { refuse } from '../errors.ts'
import type { Account } from '../http/caller.ts'
import type { PinGuard } from '../limits/pin-guard.ts'
import { hashOfToken } from '../token-hash.ts'
import { attribute, type Recognition } from './attribution.rules.ts'
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

/** A session and who its caller is to it; null for no participant. */
export interface Acquaintance {
  readonly session: SessionRecord
  readonly participant: ParticipantRecord | null
  readonly isCreator: boolean
}

/** A call by a participant of a session. */
export interface Visit extends Acquaintance {
  readonly participant: ParticipantRecord
  readonly by: Recognition
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

/**
 * Decides who is in a session: holders of a participant's token, accounts that have joined it, and callers that show its
 * PIN from where one of its participants has joined.
 */
export function createEntrance({ sessions, participants, guard, now }: Parts) {
  /** Keeps the participant in the list of those who are there: nobody reads unseen. */
  async function seen(visit: Visit): Promise<Visit> {
    const { id, seenAt, isTokenUsed } = visit.participant
    if (visit.by === 'token' && !isTokenUsed) await participants.useToken(id, now())
    else if (seenAt < now() - seenAgainAfterMs) await participants.see([id], now())
    return visit
  }

  async function enterByToken(token: string, sessionId: string | null): Promise<Visit> {
    const participant = await participants.findByToken(hashOfToken(token))
    if (!participant || (sessionId !== null && participant.sessionId !== sessionId)) throw notFound()
    const session = await sessions.find(participant.sessionId, now())
    if (!session) throw notFound()
    return seen({ session, participant, isCreator: participant.isCreator, by: 'token' })
  }

  /** What an account is to a session. Takes as long where there is no session, which is answered with null. */
  async function acquaint(session: SessionRecord | null, account: Account | null): Promise<Acquaintance | null> {
    const participant = account && (await participants.findByUser(session?.id ?? '', account.userId))
    return session && { session, participant, isCreator: account !== null && session.creatorId === account.userId }
  }

  /** The participant that a call by PIN alone stands for. Takes as long for a wrong PIN as for a right one. */
  async function recognize(shown: Shown, sessionId: string | null): Promise<Visit | null> {
    const { pin, account, address } = shown
    const session = await sessions.findByPin(guard.hashPin(requirePin(pin)), now())
    const known = session && (sessionId === null || session.id === sessionId) ? session : null
    const userId = account?.userId ?? null
    const id = known?.id ?? ''
    const candidates = await participants.listOfCaller(id, { userId, addressHash: guard.hashAddress(id, address) })
    // People behind one address share it, so it does not bring back who is to be kept out.
    const mayUseAddress = known !== null && !known.isLocked && !known.asksApproval
    const attributed = attribute(candidates, userId, mayUseAddress)
    // The PIN is right and its caller did join: several clients behind one address must not lock it by asking again.
    if (known && !attributed && attribute(candidates, userId, true)) throw notFound()
    if (!known || !attributed) return null
    return { session: known, isCreator: attributed.by === 'account' && known.creatorId === userId, ...attributed }
  }

  async function enterByPin(shown: Shown, sessionId: string | null): Promise<Visit> {
    requirePin(shown.pin)
    const { account, address } = shown
    const caller = { address, userId: account?.userId, refusal: notFound }
    const call = sessionId === null ? caller : { ...caller, place: sessionId }
    return seen(await guard.pass(call, () => recognize(shown, sessionId)))
  }

  async function enterByAccount(account: Account, sessionId: string | null): Promise<Visit> {
    const session = sessionId === null ? null : await sessions.find(sessionId, now())
    const known = await acquaint(session, account)
    if (!known?.participant) throw notFound()
    return seen({ ...known, participant: known.participant, by: 'account' })
  }

  return {
    acquaint,
    isMember: ({ participant, isCreator }: Acquaintance): boolean => participant !== null || isCreator,
    /** Refuses, in the same words whatever the reason, whoever is not in it. Null stands for any session. */
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
export function requireCreator({ isCreator }: Acquaintance): void {
  if (!isCreator) throw refuse('FORBIDDEN')
}
