import { sessionLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../context.ts'
import type { Bus } from '../../platform/events/bus.ts'
import { createPublishToSession, participantTopic } from '../../platform/events/publish.ts'
import { coalesce } from '../../platform/rate-limit/coalesce.ts'
import type { ListSlots } from '../../platform/rate-limit/list-slots.ts'
import type { PinGuard } from '../../platform/rate-limit/pin-guard.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { CreateTickets } from '../../platform/realtime/tickets.ts'
import type { Volumes } from '../../platform/storage/volumes.ts'
import type { UploadService } from '../files/uploads/uploads.service.ts'
import type { AdmissionsStore } from './admission/admissions.store.ts'
import { createJoinRequestTokens } from './admission/join-request-tokens.ts'
import type { JoinRequestsStore } from './admission/join-requests.store.ts'
import { createJoinService } from './admission/join-session.ts'
import type { KeySharesStore } from './admission/key-shares.store.ts'
import { createKeyShares } from './admission/key-shares.ts'
import { createSessionAccess } from './admission/session-access.ts'
import { createWaitingList } from './admission/waiting-list.ts'
import { publishParticipants } from './describe-session.ts'
import { createSessionFileService } from './files/session-files.service.ts'
import type { SessionFilesStore } from './files/session-files.store.ts'
import { createSessionMessageService } from './messages/session-messages.service.ts'
import type { SessionMessagesStore } from './messages/session-messages.store.ts'
import type { ParticipantsStore } from './participants.store.ts'
import { createPresence } from './presence.ts'
import type { SessionServiceDeps, SessionTicketHolder } from './session-service-deps.ts'
import { createSessionService, createSessionSweeper } from './sessions.service.ts'
import type { SessionsStore } from './sessions.store.ts'

interface SessionServicesOptions extends Pick<ServerContext, 'now' | 'log'> {
  readonly stores: {
    readonly sessions: SessionsStore
    readonly participants: ParticipantsStore
    readonly joinRequests: JoinRequestsStore
    readonly shares: KeySharesStore
    readonly messages: SessionMessagesStore
    readonly files: SessionFilesStore
    readonly admissions: AdmissionsStore
  }
  /** From the secrets folder: seals the key shares. */
  readonly secret: Buffer
  readonly guard: PinGuard
  readonly rateLimiter: RateLimiter
  readonly uploads: UploadService
  readonly listSlots: ListSlots
  /** The storage limit of an account in bytes, including the messages of its sessions. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  readonly volumes: Volumes
  readonly bus: Bus
  readonly createTickets: CreateTickets
  readonly sweepEnded: () => Promise<unknown>
  readonly strict: boolean
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
  const { strict, log, storageLimitOf, listSlots } = options
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
    listSlots,
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
