import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Job } from '../jobs.ts'
import { createMessageSweeper } from '../modules/chat/message-sweeper.ts'
import { messageRoutes } from '../modules/chat/messages.routes.ts'
import { createMessageService } from '../modules/chat/messages.service.ts'
import { createMessagesStore } from '../modules/chat/messages.store.ts'
import { uploadSocketRoutes } from '../modules/files/uploads/socket/upload-socket.routes.ts'
import type { UploadService } from '../modules/files/uploads/uploads.service.ts'
import { createPortals } from '../modules/portals/create-portals.ts'
import { createPortalRoomsStore } from '../modules/portals/portal-rooms.store.ts'
import { portalRoutes } from '../modules/portals/portals.routes.ts'
import { sessionFileRoutes } from '../modules/sessions/files/session-files.routes.ts'
import { sessionMessageRoutes } from '../modules/sessions/messages/session-messages.routes.ts'
import { createSessionLive } from '../modules/sessions/session-live.ts'
import { createSessionServices } from '../modules/sessions/session-services.ts'
import { createSessionStores } from '../modules/sessions/session-stores.store.ts'
import { sessionRoutes } from '../modules/sessions/sessions.routes.ts'
import { countNow } from '../platform/db/daily-counts.ts'
import { createPinFailuresStore } from '../platform/rate-limit/pin-failures.store.ts'
import { createPinGuard } from '../platform/rate-limit/pin-guard.ts'
import { createAuthSessionMonitor } from '../platform/realtime/auth-session-monitor.ts'
import { liveRoutes } from '../platform/realtime/live.routes.ts'
import type { OnlineAccounts } from '../platform/realtime/online-accounts.ts'
import { createSocketAdmission } from '../platform/realtime/socket-admission.ts'
import type { Users } from './users.ts'

interface MountSessionsAndPortalsOptions {
  readonly users: Users
  readonly uploads: UploadService
  readonly sweepEnded: () => Promise<unknown>
  readonly online: OnlineAccounts
}

/** Mounts the routes for messages, sessions and portals, which share sockets and the PIN limiter. Returns their jobs. */
export async function mountSessionsAndPortals(
  app: FastifyInstance,
  context: ServerContext,
  { users, uploads, sweepEnded, online }: MountSessionsAndPortalsOptions,
): Promise<Job[]> {
  const { config, db, now, createTickets, secrets } = context
  const messageStore = createMessagesStore(db)
  const messages = createMessageService({ ...context, ...users.accountQueries, store: messageStore })
  messageRoutes(app, { ...context, messages })

  const authSessionMonitor = createAuthSessionMonitor({
    ...context,
    filterValid: (ids) => users.stores.authSessions.filterValid(ids, now()),
  })
  const tickets = createTickets('live')
  const socketAdmission = createSocketAdmission({
    ...context,
    tickets,
    perAccount: config.SOCKETS_PER_ACCOUNT,
    monitorAuthSession: authSessionMonitor.watch,
  })
  const { findAccount } = users.provider
  uploadSocketRoutes(app, { uploads, socketAdmission, findAccount, requireLicence: users.licences.requireActive })

  const pinGuard = createPinGuard({
    ...context,
    store: createPinFailuresStore(db),
    secret: secrets.pin,
    onFailure(address, isOverBudget) {
      context.failedAttempts.count('wrong_pins', address)
      context.metrics.countWrongPin(isOverBudget)
    },
  })
  const sessions = createSessionServices({
    ...context,
    ...users.accountQueries,
    stores: createSessionStores(db),
    secret: secrets.session,
    guard: pinGuard,
    uploads,
    sweepEnded,
  })
  sessionRoutes(app, { ...context, ...sessions })
  sessionMessageRoutes(app, { ...context, ...sessions })
  sessionFileRoutes(app, { ...context, ...sessions })
  const visitors = createSessionLive({ ...context, ...sessions, socketAdmission })
  liveRoutes(app, { ...context, tickets, socketAdmission, visitors, online })
  const portals = await createPortals({
    ...context,
    ...users.accountQueries,
    pins: pinGuard,
    savedRooms: createPortalRoomsStore(db),
    onRelayed: context.resources.countRelayed,
    onCreated: () => void countNow(db, now(), { portals: 1 }).catch(context.onError),
    secret: secrets.pin,
  })
  portalRoutes(app, { ...context, ...portals, socketAdmission })

  return [
    createMessageSweeper({ ...context, store: messageStore }),
    authSessionMonitor.job,
    ...sessions.jobs,
    ...portals.jobs,
  ]
}
