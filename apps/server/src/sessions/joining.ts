import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { KeyMode, Session, Work } from '@sallyport/contract/session-shapes'
import { refuse } from '../errors.ts'
import type { Account } from '../http/caller.ts'
import { hashOfToken } from '../token-hash.ts'
import { requireOffered } from '../uploads/lifetime.ts'
import { describeSession } from './describe-session.ts'
import { type Acquaintance, notFound, requirePin } from './entrance.ts'
import { isTrivial } from './pin.rules.ts'
import type { SessionParts } from './session-parts.ts'

interface Opening {
  readonly account: Account
  readonly address: string
  readonly pin: string | undefined
  readonly expirationMinutes: number | undefined
  readonly keyMode: KeyMode
  readonly linkCheck: string | undefined
}

interface Joining {
  readonly account: Account | null
  readonly address: string
  readonly pin: string | undefined
  readonly knock: string | undefined
  readonly linkCheck: string | undefined
  readonly work: Work | undefined
}

export interface Entered {
  readonly session: Session
  readonly participant_token: string
}

/** Opens sessions and lets people into them. */
export function createJoining(parts: SessionParts) {
  const { sessions, participants, waitingList, keyShares, guard, entrance, attempts, now } = parts

  type Caller = Pick<Joining, 'account' | 'address'>

  async function enterAs(known: Acquaintance, { account, address }: Caller): Promise<Entered> {
    const { session, isCreator } = known
    const token = randomBytes(32).toString('base64url')
    const newcomer = {
      id: randomUUIDv7(),
      sessionId: session.id,
      userId: account?.userId ?? null,
      isCreator,
      tokenHash: hashOfToken(token),
      addressHash: guard.hashAddress(session.id, address),
    }
    const most = sessionLimits.participants + (entrance.isMember(known) ? sessionLimits.memberPlaces : 0)
    const participant = await participants.add(newcomer, now(), most)
    if (!participant) throw notFound()
    parts.announcePeers(session.id)
    const visit = { session, participant, isCreator, by: 'token' } as const
    return { session: await describeSession(parts, visit), participant_token: token }
  }

  /** A session that this PIN leads to now and that has a place left; null whatever else is the case. */
  async function findOpen(joining: Joining, pin: string): Promise<Acquaintance | null> {
    const session = await sessions.findByPin(guard.hashPin(pin), now())
    const known = await entrance.acquaint(session, joining.account)
    const taken = await participants.count(session?.id ?? '', now())
    if (!known) return null
    if (joining.linkCheck !== undefined && joining.linkCheck !== known.session.linkCheck) return null
    if (entrance.isMember(known)) return known
    return known.session.isLocked || taken >= sessionLimits.participants ? null : known
  }

  /** Whoever was let in by hand comes in whatever the PINs of the day. Null for a token that is no join request's. */
  async function enterByKnock(token: string, joining: Joining): Promise<Entered | null> {
    const session = await waitingList.answered(token)
    if (!session) return null
    if ((await participants.count(session.id, now())) >= sessionLimits.participants) throw notFound()
    const known = await entrance.acquaint(session, joining.account)
    if (!known || !(await waitingList.useUp(token))) throw notFound()
    return enterAs(known, joining)
  }

  /** Null for everyone who is not in it by the account that is signed in. */
  async function findAsMember(joining: Joining, pin: string): Promise<Acquaintance | null> {
    const known = joining.account && (await findOpen(joining, pin))
    return known && entrance.isMember(known) ? known : null
  }

  /** The link of a private session proves itself, so the PIN in it is not guessed. */
  async function findByLink(joining: Joining, pin: string): Promise<Acquaintance> {
    const known = await findOpen(joining, pin)
    if (!known) throw notFound()
    return known
  }

  async function findAsStranger(joining: Joining, pin: string): Promise<Acquaintance> {
    const { account, address, work } = joining
    const guess = { address, userId: account?.userId, work, refusal: notFound }
    const result = await guard.guess(guess, () => findOpen(joining, pin))
    if (result.isConcealed) throw waitingList.askConcealed(result.found?.session ?? null, address)
    if (result.found.session.isPinExposed) throw await waitingList.ask(result.found.session, address)
    return result.found
  }

  return {
    async open(opening: Opening): Promise<Entered> {
      const { account, pin: text, expirationMinutes, keyMode, linkCheck } = opening
      const pin = requirePin(text)
      if (expirationMinutes !== undefined) requireOffered(expirationMinutes, 'session')
      if ((keyMode === 'secret') !== (linkCheck !== undefined)) {
        throw refuse('BAD_REQUEST', { details: { fields: ['link_check'] } })
      }
      const pace = await attempts.allow(`new session|${account.userId}`, rateLimits.newSessionsPerAccount)
      if (!pace.allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds: pace.retryAfterSeconds })
      // Our own clients draw another; one of the bare specification may have been told which to use.
      if (keyMode !== 'pin' && isTrivial(pin)) throw refuse('PIN_TAKEN')
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
          sealedShare: keyMode === 'pin' ? null : keyShares.make(id),
        },
        now(),
      )
      if (outcome === 'too-many') throw refuse('TOO_MANY_SESSIONS')
      const session = outcome === 'taken' ? null : await sessions.find(id, now())
      if (!session) throw refuse('PIN_TAKEN')
      return enterAs({ session, participant: null, isCreator: true }, opening)
    },

    async join(joining: Joining): Promise<Entered> {
      const pin = requirePin(joining.pin)
      const byKnock = joining.knock === undefined ? null : await enterByKnock(joining.knock, joining)
      if (byKnock) return byKnock

      const member = await findAsMember(joining, pin)
      if (member) return enterAs(member, joining)
      const byLink = joining.linkCheck !== undefined
      const known = byLink ? await findByLink(joining, pin) : await findAsStranger(joining, pin)
      if (known.session.asksApproval) throw await waitingList.ask(known.session, joining.address)
      return enterAs(known, joining)
    },
  }
}

export type JoiningSessions = ReturnType<typeof createJoining>
