import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import type { KeyMode, Session, Work } from '@sallyport/contract/session-shapes'
import { refuse } from '../errors.ts'
import type { Account } from '../http/caller.ts'
import { hashOfToken } from '../token-hash.ts'
import { requireOffered } from '../uploads/lifetime.ts'
import { announcePeers, describeSession } from './describe-session.ts'
import { notFound, requirePin, type Visit } from './entrance.ts'
import { isTrivial } from './pin.rules.ts'
import type { SessionParts } from './session-parts.ts'
import type { SessionRecord } from './session-records.store.ts'

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

const newToken = (): string => randomBytes(32).toString('base64url')

/** Opens sessions and lets people into them. */
export function createJoining(parts: SessionParts) {
  const { sessions, participants, knocks, keyShares, guard, entrance, now } = parts

  async function enterAs({ session, isCreator }: Visit, account: Account | null): Promise<Entered> {
    const token = newToken()
    const id = randomUUIDv7()
    const userId = account?.userId ?? null
    await participants.add({ id, sessionId: session.id, userId, isCreator, tokenHash: hashOfToken(token) }, now())
    await announcePeers(parts, session.id)
    const visit = await entrance.enter(session.id, { token, pin: undefined, account, address: '' })
    return { session: await describeSession(parts, visit), participant_token: token }
  }

  /** A session that this PIN leads to now and that has a place left; null whatever else is the case. */
  async function findOpen(joining: Joining, pin: string): Promise<Visit | null> {
    const session = await sessions.findByPin(guard.hashPin(pin), now())
    const visit = session && (await entrance.visitOf(session, joining.account))
    const taken = await participants.count(session?.id ?? '', now())
    if (!visit) return null
    if (joining.linkCheck !== undefined && joining.linkCheck !== visit.session.linkCheck) return null
    if (entrance.isMember(visit)) return visit
    return visit.session.isLocked || taken >= sessionLimits.participants ? null : visit
  }

  async function askToBeLetIn({ id: sessionId }: SessionRecord): Promise<never> {
    const waiting = await knocks.listWaiting(sessionId, now())
    if (waiting.length >= sessionLimits.waitingKnocks) throw refuse('RATE_LIMITED')
    const knock = newToken()
    const code = String(randomInt(1000, 10_000))
    await knocks.add({ id: randomUUIDv7(), sessionId, code, tokenHash: hashOfToken(knock) }, now())
    parts.announceToSession(sessionId, { type: 'session.knocks' })
    throw refuse('APPROVAL_REQUIRED', { details: { knock, code } })
  }

  /** Whoever was let in by hand comes in whatever the PINs of the day. Null for a knock that nobody knows. */
  async function enterByKnock(token: string, joining: Joining): Promise<Entered | null> {
    const knock = await knocks.find(hashOfToken(token), now())
    const session = knock && (await sessions.find(knock.sessionId, now()))
    if (!session) return null
    if (knock.state === 'waiting') throw refuse('APPROVAL_REQUIRED', { details: { knock: token, code: knock.code } })
    if (knock.state === 'denied') throw refuse('APPROVAL_DENIED')
    if ((await participants.count(session.id, now())) >= sessionLimits.participants) throw notFound()
    if (!(await knocks.take(knock.id))) throw notFound()
    return enterAs(await entrance.visitOf(session, joining.account), joining.account)
  }

  return {
    async open({ account, address, pin: text, expirationMinutes, keyMode, linkCheck }: Opening): Promise<Entered> {
      const pin = requirePin(text)
      if (expirationMinutes !== undefined) requireOffered(expirationMinutes, 'session')
      if ((keyMode === 'secret') !== (linkCheck !== undefined)) {
        throw refuse('BAD_REQUEST', { details: { fields: ['link_check'] } })
      }
      if ((await sessions.countOpen(account.userId, now())) >= sessionLimits.openPerAccount) {
        throw refuse('TOO_MANY_SESSIONS')
      }
      // Our own clients draw another; one of the bare specification may have been told which to use.
      if (keyMode !== 'pin' && isTrivial(pin)) throw refuse('PIN_TAKEN')
      const id = randomUUIDv7()
      // That a PIN is taken tells that somebody has it, so it counts as a guess.
      const attempt = { address, isAnonymous: false, refusal: () => refuse('PIN_TAKEN') }
      const session = await guard.pass(attempt, async () => {
        const added = await sessions.add(
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
        return added ? sessions.find(id, now()) : null
      })
      return enterAs({ session, participant: null, isCreator: true }, account)
    },

    async join(joining: Joining): Promise<Entered> {
      const pin = requirePin(joining.pin)
      const byKnock = joining.knock === undefined ? null : await enterByKnock(joining.knock, joining)
      if (byKnock) return byKnock

      const { account, address, linkCheck, work } = joining
      const isStranger = account === null && linkCheck === undefined
      const isGuarded = isStranger && (await guard.isOverBudget())
      if (isGuarded) await guard.requireWork(address, work)
      const attempt = { address, isAnonymous: account === null, refusal: notFound }
      const visit = await guard.pass(attempt, () => findOpen(joining, pin))
      if (!entrance.isMember(visit) && (isGuarded || visit.session.asksApproval)) await askToBeLetIn(visit.session)
      await guard.countJoin()
      return enterAs(visit, account)
    },
  }
}

export type JoiningSessions = ReturnType<typeof createJoining>
