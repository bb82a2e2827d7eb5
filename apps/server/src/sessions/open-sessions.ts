import { sessionLimits } from '@sallyport/contract/limits'
import type { Logger } from 'pino'
import type { Volumes } from '../blobs/volumes.ts'
import type { Bus } from '../bus/bus.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { ListSlots } from '../limits/list-slots.ts'
import type { PinGuard } from '../limits/pin-guard.ts'
import { announceToSessionOver, participantTopic } from '../live/announce.ts'
import type { OpenTickets } from '../live/tickets.ts'
import { coalesce } from '../resources/coalesce.ts'
import type { Uploads } from '../uploads/uploads.service.ts'
import type { AdmissionsStore } from './admissions.store.ts'
import { sendPeers } from './describe-session.ts'
import { createEntrance } from './entrance.ts'
import { createJoinRequests } from './join-requests.ts'
import { createJoining } from './joining.ts'
import type { KeySharesStore } from './key-shares.store.ts'
import { createKeyShares } from './key-shares.ts'
import type { KnocksStore } from './knocks.store.ts'
import type { ParticipantsStore } from './participants.store.ts'
import { createPresence } from './presence.ts'
import { createSessionFiles } from './session-files.service.ts'
import type { SessionFilesStore } from './session-files.store.ts'
import { createSessionMessages } from './session-messages.service.ts'
import type { SessionMessagesStore } from './session-messages.store.ts'
import type { SessionHolder, SessionParts } from './session-parts.ts'
import { createSessionClosing, createSessions } from './sessions.service.ts'
import type { SessionsStore } from './sessions.store.ts'
import { createWaitingList } from './waiting-list.ts'

interface Wishes {
  readonly stores: {
    readonly sessions: SessionsStore
    readonly participants: ParticipantsStore
    readonly knocks: KnocksStore
    readonly shares: KeySharesStore
    readonly messages: SessionMessagesStore
    readonly files: SessionFilesStore
    readonly admissions: AdmissionsStore
  }
  /** From the secrets folder: what the shares of keys are sealed under. */
  readonly secret: Buffer
  readonly guard: PinGuard
  readonly attempts: Attempts
  readonly uploads: Uploads
  readonly listSlots: ListSlots
  /** Bytes an account may keep, the messages of its sessions among them. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  readonly volumes: Volumes
  readonly bus: Bus
  readonly openTickets: OpenTickets
  readonly sweepEnded: () => Promise<void>
  readonly now: () => number
  readonly strict: boolean
  readonly log: Pick<Logger, 'error'>
  readonly monotonic?: () => number
}

/** The parts of sessions, put together. */
export function openSessions({ stores, guard, attempts, uploads, volumes, bus, sweepEnded, now, ...wishes }: Wishes) {
  const { strict, log, monotonic, storageLimitOf, listSlots } = wishes
  const announceToSession = announceToSessionOver(bus)
  const onError = (error: Error) => log.error({ err: error }, 'a part of a session failed')
  const entrance = createEntrance({ ...stores, guard, now })
  const requests = createJoinRequests({ secret: wishes.secret, now })
  const waitingList = createWaitingList({ ...stores, requests, guard, announceToSession, onError, now })
  const parts: SessionParts = {
    ...stores,
    keyShares: createKeyShares(wishes.secret),
    guard,
    entrance,
    waitingList,
    attempts,
    announceToSession,
    announcePeers: coalesce({
      everyMs: sessionLimits.peersEveryMs,
      run: (id) => sendPeers({ ...stores, announceToSession, now }, id),
      onError,
    }),
    endSocketsOf: (id, reason) => bus.publish(participantTopic(id), { type: 'session.closed', reason }),
    sweepEnded,
    now,
  }
  const sessions = createSessions(parts)
  const presence = createPresence({ ...sessions, onError })
  const closing = createSessionClosing({
    ...stores,
    close: sessions.close,
    forgetAdmissions: stores.admissions.forgetOld,
    now,
    log,
    ...(monotonic && { monotonic }),
  })
  return {
    entrance,
    joining: createJoining(parts),
    sessions,
    messages: createSessionMessages({
      store: stores.messages,
      admissions: stores.admissions,
      attempts,
      announceToSession,
      storageLimitOf,
      now,
      strict,
    }),
    listSlots,
    files: createSessionFiles({
      store: stores.files,
      sessions: stores.sessions,
      entrance,
      uploads,
      volumes,
      announceToSession,
      now,
    }),
    presence,
    tickets: wishes.openTickets<SessionHolder>('session'),
    isOpen: async (id: string): Promise<boolean> => (await stores.sessions.find(id, now())) !== null,
    isIn: async (participantId: string): Promise<boolean> => (await stores.participants.find(participantId)) !== null,
    onError,
    closing,
    jobs: [closing, presence.job, guard.forgetOld],
  }
}

export type OpenedSessions = ReturnType<typeof openSessions>
