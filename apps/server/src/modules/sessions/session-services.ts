import { sessionLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../context.ts'
import { createPublishToSession, participantTopic } from '../../platform/events/publish.ts'
import { coalesce } from '../../platform/rate-limit/coalesce.ts'
import type { PinGuard } from '../../platform/rate-limit/pin-guard.ts'
import type { UploadService } from '../files/uploads/uploads.service.ts'
import { createJoinRequestTokens } from './admission/join-request-tokens.ts'
import { createJoinService } from './admission/join-session.ts'
import { createKeyShares } from './admission/key-shares.ts'
import { createSessionAccess } from './admission/session-access.ts'
import { createWaitingList } from './admission/waiting-list.ts'
import { publishParticipants } from './describe-session.ts'
import { createSessionFileService } from './files/session-files.service.ts'
import { createSessionMessageService } from './messages/session-messages.service.ts'
import { createPresence } from './presence.ts'
import type { SessionServiceDeps, SessionTicketHolder } from './session-service-deps.ts'
import type { SessionStores } from './session-stores.store.ts'
import { createSessionService, createSessionSweeper } from './sessions.service.ts'

interface SessionServicesOptions
  extends Pick<ServerContext, 'rateLimiter' | 'volumes' | 'bus' | 'createTickets' | 'strict' | 'now' | 'log'> {
  readonly stores: SessionStores
  /** From the secrets folder: seals the key shares. */
  readonly secret: Buffer
  readonly guard: PinGuard
  readonly uploads: UploadService
  /** The storage limit of an account in bytes, including the messages of its sessions. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  readonly sweepEnded: () => Promise<unknown>
}

/** Creates all services of sessions. */
export function createSessionServices({
  stores,
  guard,
  rateLimiter,
  uploads,
  volumes,
  bus,
  sweepEnded,
  now,
  ...options
}: SessionServicesOptions) {
  const { strict, log, storageLimitOf } = options
  const publishToSession = createPublishToSession(bus)
  const onError = (error: Error) => log.error({ err: error }, 'background work of a session failed')
  const sessionAccess = createSessionAccess({ ...stores, guard, now })
  const tokens = createJoinRequestTokens({ secret: options.secret, now })
  const waitingList = createWaitingList({ ...stores, tokens, guard, publishToSession, onError, now })
  const deps: SessionServiceDeps = {
    ...stores,
    keyShares: createKeyShares(options.secret),
    guard,
    sessionAccess,
    waitingList,
    rateLimiter,
    publishToSession,
    scheduleParticipantsUpdate: coalesce({
      everyMs: sessionLimits.peersEveryMs,
      run: (id) => publishParticipants({ ...stores, publishToSession, now }, id),
      onError,
    }),
    closeSocketsOf: (id, reason) => bus.publish(participantTopic(id), { type: 'session.closed', reason }),
    sweepEnded,
    now,
  }
  const sessions = createSessionService(deps)
  const presence = createPresence({ ...sessions, onError, now })
  const sessionSweeper = createSessionSweeper({
    ...stores,
    close: sessions.close,
    deleteOldAdmissions: stores.admissions.deleteOld,
    now,
  })
  return {
    sessionAccess,
    joinService: createJoinService(deps),
    sessions,
    messages: createSessionMessageService({
      store: stores.messages,
      admissions: stores.admissions,
      rateLimiter,
      publishToSession,
      storageLimitOf,
      now,
      strict,
    }),
    files: createSessionFileService({
      store: stores.files,
      sessions: stores.sessions,
      sessionAccess,
      uploads,
      volumes,
      publishToSession,
      now,
    }),
    presence,
    tickets: options.createTickets<SessionTicketHolder>('session'),
    isOpen: async (id: string): Promise<boolean> => (await stores.sessions.find(id, now())) !== null,
    isParticipant: async (participantId: string): Promise<boolean> =>
      (await stores.participants.find(participantId)) !== null,
    onError,
    sessionSweeper,
    jobs: [sessionSweeper, presence.job, guard.deleteOld],
  }
}

export type SessionServices = ReturnType<typeof createSessionServices>
