import { sessionLimits } from '@sallyport/contract/limits'
import { rateLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { Session, SessionSettings } from '@sallyport/contract/session-shapes'
import { apiError } from '../../errors.ts'
import { type Job, nothing } from '../../jobs.ts'
import { requireOfferedLifetime } from '../files/uploads/file-checks.ts'
import { requireCreator, type SessionCaller } from './admission/session-access.ts'
import { describeSession, settingsOf } from './describe-session.ts'
import type { SessionServiceDeps } from './session-service-deps.ts'

type SettingsUpdate = { readonly [K in keyof SessionSettings]?: SessionSettings[K] | undefined }

/** The operations of participants between joining and the end of a session. */
export function createSessionService(deps: SessionServiceDeps) {
  const { sessions, participants, joinRequests, rateLimiter, shares, keyShares, sweepEnded, now } = deps
  const { publishToSession, scheduleParticipantsUpdate, closeSocketsOf } = deps

  async function close(sessionId: string): Promise<void> {
    if (!(await sessions.close(sessionId, now()))) return
    publishToSession(sessionId, { type: 'session.closed', reason: 'closed' })
    await sweepEnded()
  }

  async function publishSettings({ session, ...rest }: SessionCaller): Promise<Session> {
    const changed = await sessions.find(session.id, now())
    if (!changed) throw apiError('SESSION_NOT_FOUND')
    publishToSession(session.id, { type: 'session.settings', settings: settingsOf(changed) })
    return describeSession(deps, { session: changed, ...rest })
  }

  return {
    close,
    describe: (caller: SessionCaller): Promise<Session> => describeSession(deps, caller),

    async recordHeartbeat({ session, participant, isCreator }: SessionCaller): Promise<void> {
      await participants.markSeen([participant.id], now())
      if (isCreator) await sessions.recordCreatorHeartbeat(session.id, now())
    },

    /** True when this ends the session. */
    async leave({ session, participant, isCreator, identifiedBy }: SessionCaller): Promise<boolean> {
      if (isCreator) {
        await close(session.id)
        return true
      }
      // A caller identified by address must not act for a signed-in participant behind the same address.
      if (identifiedBy === 'address' && participant.userId !== null) return false
      if (!(await participants.remove(session.id, participant.id))) return false
      closeSocketsOf(participant.id, 'closed')
      scheduleParticipantsUpdate(session.id)
      return false
    },

    async updateSettings(caller: SessionCaller, update: SettingsUpdate): Promise<Session> {
      requireCreator(caller)
      const { default_file_expiration_minutes: expirationMinutes, locked: isLocked, approval: asksApproval } = update
      if (expirationMinutes !== undefined) requireOfferedLifetime(expirationMinutes, 'session')
      await sessions.update(caller.session.id, { expirationMinutes, isLocked, asksApproval })
      return publishSettings(caller)
    },

    async rename({ session, participant }: SessionCaller, sealedName: string | null): Promise<void> {
      await rateLimiter.require(`rename:${participant.id}`, rateLimits.renamesPerParticipant)
      await participants.rename(participant.id, sealedName)
      scheduleParticipantsUpdate(session.id)
    },

    /**
     * Removes a participant permanently: they know the PIN and the key share, so from now on joining requires approval,
     * and new contents are sealed with another share.
     */
    async remove(caller: SessionCaller, participantId: string): Promise<void> {
      requireCreator(caller)
      if (participantId === caller.participant.id) throw apiError('FORBIDDEN')
      const { id: sessionId } = caller.session
      const removal = await shares.remove({ sessionId, participantId, nextShare: keyShares.create(sessionId) })
      if (removal === 'not-found') throw apiError('NOT_FOUND')
      if (removal === 'too-many') throw apiError('TOO_MANY_REMOVALS')
      closeSocketsOf(participantId, 'removed')
      publishToSession(sessionId, { type: 'session.key' })
      await publishSettings(caller)
      scheduleParticipantsUpdate(caller.session.id)
    },

    async answerJoinRequest(caller: SessionCaller, joinRequestId: string, admit: boolean): Promise<void> {
      requireCreator(caller)
      if (!(await joinRequests.answer(caller.session.id, joinRequestId, admit ? 'admitted' : 'denied')))
        throw apiError('NOT_FOUND')
      publishToSession(caller.session.id, { type: 'session.knocks' })
    },

    /**
     * Marks the participants with open sockets as seen, and publishes the list where one of them was away: another node
     * marks a participant as away when the last of its own sockets closes.
     */
    async markAllSeen(participantIds: readonly string[]): Promise<void> {
      for (const id of await participants.markSeen(participantIds, now())) scheduleParticipantsUpdate(id)
    },

    markAway: participants.markAway,

    /** Publishes the list of every session with a participant who ceased to be present within this period. */
    async publishLapsed(periodMs: number): Promise<void> {
      const to = now() - sessionLimits.presentMs
      for (const id of await participants.listSessionsLastSeen({ from: to - periodMs, to }))
        scheduleParticipantsUpdate(id)
    },

    scheduleParticipantsUpdate,
  }
}

export type SessionService = ReturnType<typeof createSessionService>

interface SessionSweeperDeps extends Pick<SessionServiceDeps, 'sessions' | 'joinRequests' | 'now'> {
  readonly close: SessionService['close']
  readonly deleteOldAdmissions: (now: number) => Promise<void>
}

/** Ends expired sessions. */
export function createSessionSweeper(deps: SessionSweeperDeps): Job {
  const { sessions, joinRequests, close, deleteOldAdmissions, now } = deps
  return {
    name: 'session sweeper',
    erases: 'expired',
    everyMs: 5_000,
    async run(signal) {
      const time = now()
      let entries = 0
      for (const id of await sessions.listEnded(time, sweepLimits.batch)) {
        if (signal.aborted) break
        await close(id)
        entries += 1
      }
      await sessions.deleteExpiredQuarantine(time)
      await joinRequests.deleteOld(time)
      await deleteOldAdmissions(time)
      return { ...nothing, entries }
    },
  }
}
