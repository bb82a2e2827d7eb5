import { rateLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { Session, SessionSettings } from '@sallyport/contract/session-shapes'
import type { Logger } from 'pino'
import { refuse } from '../errors.ts'
import { watchClock } from '../jobs/clock-watch.ts'
import type { Job } from '../jobs/scheduler.ts'
import { requireOffered } from '../uploads/lifetime.ts'
import { describeSession, settingsOf } from './describe-session.ts'
import { requireCreator, type Visit } from './entrance.ts'
import type { SessionParts } from './session-parts.ts'

type Wanted = { readonly [K in keyof SessionSettings]?: SessionSettings[K] | undefined }

/** What happens in a session between joining and its end. */
export function createSessions(parts: SessionParts) {
  const { sessions, participants, knocks, attempts, shares, keyShares, sweepEnded, now } = parts
  const { announceToSession, announcePeers, endSocketsOf } = parts

  async function close(sessionId: string): Promise<void> {
    if (!(await sessions.close(sessionId, now()))) return
    announceToSession(sessionId, { type: 'session.closed', reason: 'closed' })
    await sweepEnded()
  }

  async function describeAnew({ session, ...rest }: Visit): Promise<Session> {
    const changed = await sessions.find(session.id, now())
    if (!changed) throw refuse('SESSION_NOT_FOUND')
    announceToSession(session.id, { type: 'session.settings', settings: settingsOf(changed) })
    return describeSession(parts, { session: changed, ...rest })
  }

  return {
    close,
    describe: (visit: Visit): Promise<Session> => describeSession(parts, visit),

    async hear({ session, participant, isCreator }: Visit): Promise<void> {
      await participants.see([participant.id], now())
      if (isCreator) await sessions.hearCreator(session.id, now())
    },

    /** True when the session is over by that. */
    async leave({ session, participant, isCreator, by }: Visit): Promise<boolean> {
      if (isCreator) {
        await close(session.id)
        return true
      }
      // Whoever shares an address with people who are signed in does not speak for them.
      if (by === 'address' && participant.userId !== null) return false
      if (!(await participants.remove(session.id, participant.id))) return false
      endSocketsOf(participant.id, 'closed')
      announcePeers(session.id)
      return false
    },

    async change(visit: Visit, wanted: Wanted): Promise<Session> {
      requireCreator(visit)
      const { default_file_expiration_minutes: expirationMinutes, locked: isLocked, approval: asksApproval } = wanted
      if (expirationMinutes !== undefined) requireOffered(expirationMinutes, 'session')
      await sessions.change(visit.session.id, { expirationMinutes, isLocked, asksApproval })
      return describeAnew(visit)
    },

    async rename({ session, participant }: Visit, sealedName: string | null): Promise<void> {
      const limit = rateLimits.renamesPerParticipant
      const { allowed, retryAfterSeconds } = await attempts.allow(`rename:${participant.id}`, limit)
      if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
      await participants.rename(participant.id, sealedName)
      announcePeers(session.id)
    },

    /**
     * Removes a participant for good: they know the PIN and the share of the key, so that from now on the PIN alone lets
     * nobody in, and what is sealed from now on needs another share.
     */
    async remove(visit: Visit, participantId: string): Promise<void> {
      requireCreator(visit)
      if (participantId === visit.participant.id) throw refuse('FORBIDDEN')
      const { id: sessionId } = visit.session
      const removal = await shares.remove({ sessionId, participantId, nextShare: keyShares.make(sessionId) })
      if (removal === 'not-found') throw refuse('NOT_FOUND')
      if (removal === 'too-many') throw refuse('TOO_MANY_REMOVALS')
      endSocketsOf(participantId, 'removed')
      announceToSession(sessionId, { type: 'session.key' })
      await describeAnew(visit)
      announcePeers(visit.session.id)
    },

    async answerKnock(visit: Visit, knockId: string, admit: boolean): Promise<void> {
      requireCreator(visit)
      if (!(await knocks.answer(visit.session.id, knockId, admit ? 'admitted' : 'denied'))) throw refuse('NOT_FOUND')
      announceToSession(visit.session.id, { type: 'session.knocks' })
    },

    /** The participants whose sockets are open, heard of at this moment. */
    async seeAll(participantIds: readonly string[]): Promise<void> {
      await participants.see(participantIds, now())
    },

    announcePeers,
  }
}

export type Sessions = ReturnType<typeof createSessions>

interface ClosingParts extends Pick<SessionParts, 'sessions' | 'knocks' | 'now'> {
  readonly close: Sessions['close']
  readonly forgetAdmissions: (now: number) => Promise<void>
  readonly log: Pick<Logger, 'error'>
  readonly monotonic?: () => number
}

/** Ends sessions whose time is up. When the clock was set by more than an hour, it lets one round pass. */
export function createSessionClosing(parts: ClosingParts): Job {
  const { sessions, knocks, close, forgetAdmissions, now, log, monotonic = () => performance.now() } = parts
  const clockJump = watchClock({ now, monotonic })

  return {
    name: 'session closing',
    everyMs: 5_000,
    async run(signal) {
      const jumpMs = clockJump()
      if (jumpMs !== 0) return log.error({ jumpMs }, 'the clock was set; no session is ended in this round')
      for (const id of await sessions.listOver(now(), sweepLimits.batch)) if (!signal.aborted) await close(id)
      await sessions.forgetRestedPins(now())
      await knocks.forgetOld(now())
      await forgetAdmissions(now())
    },
  }
}
