import type { FastifyInstance } from 'fastify'
import { createMessageSweeper } from '../chat/message-sweeper.ts'
import { messageRoutes } from '../chat/messages.routes.ts'
import { createMessages } from '../chat/messages.service.ts'
import { createMessagesStore } from '../chat/messages.store.ts'
import type { Job } from '../jobs/scheduler.ts'
import { createPinFailuresStore } from '../limits/pin-failures.store.ts'
import { createPinGuard } from '../limits/pin-guard.ts'
import { createEndedWatch } from '../live/ended-watch.ts'
import { liveRoutes } from '../live/live.routes.ts'
import { isOwnOrigin } from '../live/own-origin.ts'
import { createSocketDoor } from '../live/socket-door.ts'
import { openPortals } from '../portals/open-portals.ts'
import { portalRoutes } from '../portals/portals.routes.ts'
import { allSessionRoutes } from '../sessions/all-sessions.routes.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import { createSessionListening } from '../sessions/session-listening.ts'
import { createSessionStores } from '../sessions/session-stores.store.ts'
import { uploadSocketRoutes } from '../uploads/upload-socket.routes.ts'
import type { Uploads } from '../uploads/uploads.service.ts'
import type { Foundations } from './foundations.ts'
import type { People } from './people.ts'

interface Parts {
  readonly foundations: Foundations
  readonly people: People
  readonly uploads: Uploads
  readonly sweepEndedSessions: () => Promise<void>
}

/** Messages, sessions and portals, with the sockets and the limiter of PINs they share. Gives the jobs that come along. */
export async function mountMeetings(app: FastifyInstance, parts: Parts): Promise<Job[]> {
  const { foundations, people, uploads } = parts
  const { config, db, now, bus, attempts, openTickets, listSlots, secrets, volumes, redis, strict, announce, log } =
    foundations
  const messageStore = createMessagesStore(db)
  const messages = createMessages({ store: messageStore, attempts, announce, now, strict, ...people.readers })
  messageRoutes(app, { messages, listSlots })

  const endedWatch = createEndedWatch({ liveAmong: (ids) => people.stores.signIns.liveAmong(ids, now()), bus })
  const tickets = openTickets('live')
  const door = createSocketDoor({
    tickets,
    bus,
    resources: foundations.resources,
    perAccount: config.SOCKETS_PER_ACCOUNT,
    watch: endedWatch.watch,
    isOwnOrigin: (origin, host) => isOwnOrigin(foundations.publicUrl, origin, host),
  })
  const { findAccount } = people.provider
  uploadSocketRoutes(app, { uploads, door, findAccount, demandLicence: people.licences.demand })

  const guard = createPinGuard({
    store: createPinFailuresStore(db),
    attempts,
    turns: foundations.turns,
    secret: secrets.pin,
    now,
    onFailure: foundations.metrics.countWrongPin,
  })
  const sessions = openSessions({
    stores: createSessionStores(db),
    secret: secrets.session,
    guard,
    attempts,
    uploads,
    listSlots,
    storageLimitOf: people.readers.storageLimitOf,
    volumes,
    bus,
    openTickets,
    sweepEnded: parts.sweepEndedSessions,
    now,
    strict,
    log,
  })
  allSessionRoutes(app, { opened: sessions, volumes, strict })
  liveRoutes(app, { tickets, bus, door, visitors: createSessionListening({ ...sessions, door, bus }) })
  const portals = await openPortals({
    config,
    attempts,
    pins: guard,
    openTickets,
    now,
    onRelayed: foundations.resources.countRelayed,
    secret: secrets.pin,
    redis,
    isOnTrial: people.readers.isOnTrial,
  })
  portalRoutes(app, { ...portals, attempts, door, now })

  return [
    createMessageSweeper({ store: messageStore, announce, now, log }),
    endedWatch.job,
    ...sessions.jobs,
    ...portals.jobs,
  ]
}
