import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { authPrefix } from '@sallyport/contract/auth'
import type { FastifyInstance } from 'fastify'
import { type Foundations, openFoundations, type Wishes } from './app/foundations.ts'
import { mountAccounts } from './app/mount-accounts.ts'
import { mountFiles } from './app/mount-files.ts'
import { mountMeetings } from './app/mount-meetings.ts'
import { openPeople, type People } from './app/people.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import { servePages } from './http/pages.ts'
import { isLoopbackName } from './http/this-machine.ts'
import { createOrphanPass } from './jobs/orphans.ts'
import { createScheduler } from './jobs/scheduler.ts'
import { createStorageCheckStore } from './jobs/storage-check.store.ts'
import { createStorageCheck } from './jobs/storage-check.ts'
import { createEndedSessionsSweep, createSweeper } from './jobs/sweeper.ts'
import { createSweepingStore } from './jobs/sweeping.store.ts'
import { outboxRoutes } from './post/outbox.routes.ts'
import { systemRoutes } from './system/system.routes.ts'

export interface Server {
  readonly app: FastifyInstance
  /** Begins to serve and answers where. */
  listen(): Promise<string>
  /** Lets what is under way end, then closes everything. */
  close(): Promise<void>
}

const pageFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The whole server, ready to listen: opens what it stands on, mounts one area after the other, and gathers their jobs. */
export async function createServer(wishes: Wishes): Promise<Server> {
  const { config, logger, version } = wishes
  if (config.STRICT === 'off') logger.warn('STRICT is off: passwords, names and keys are taken in any form')
  const foundations = await openFoundations(wishes)
  const { publicUrl, db, volumes, metrics } = foundations
  const people = await openPeople(foundations)
  const { provider, licences, hosted, post } = people

  const app = await createApp({
    logger,
    findAccount: provider.findAccount,
    demandLicence: licences.demand,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl,
    operatorToken: config.OPERATOR_TOKEN,
    resources: foundations.resources,
  })
  let stopping = false
  metrics.watch(app)
  metrics.showResources(foundations.resources)
  mountSystem(app, { foundations, people, version, isStopping: () => stopping })
  const sweeping = { store: createSweepingStore(db), volumes, log: logger, count: metrics.countSwept }
  const accountJobs = await mountAccounts(app, { foundations, people, version })
  const uploads = mountFiles(app, foundations, people)
  const sweepEndedSessions = createEndedSessionsSweep(sweeping)
  const meetingJobs = await mountMeetings(app, { foundations, people, uploads, sweepEndedSessions })
  if (showsOutbox(config, publicUrl)) outboxRoutes(app, post.outbox)
  await servePages(app, pageFolder, hosted && new URL(hosted.url).origin)

  const scheduler = createScheduler({
    jobs: [
      createSweeper({ ...foundations, ...sweeping }),
      createOrphanPass(sweeping),
      createStorageCheck({ store: createStorageCheckStore(db), log: logger }),
      ...accountJobs,
      ...meetingJobs,
      ...post.jobs,
    ],
    onError: (error, job) => logger.error({ err: error, job }, 'a job failed'),
  })

  return {
    app,
    async listen() {
      await app.listen({ port: config.PORT, host: config.HOST })
      scheduler.start()
      const { port } = app.server.address() as AddressInfo
      // Only now is it known which port was free; letters lead there.
      if (config.PUBLIC_URL === undefined) publicUrl.port = String(port)
      return publicUrl.origin
    },
    async close() {
      stopping = true
      await app.close()
      await scheduler.stop()
      await post.office.close()
      await foundations.close()
    },
  }
}

interface SystemParts {
  readonly foundations: Foundations
  readonly people: People
  readonly version: string
  readonly isStopping: () => boolean
}

/** What the page asks first, and what operators and their probes ask. */
function mountSystem(app: FastifyInstance, { foundations, people, version, isStopping }: SystemParts): void {
  const { config, db, volumes, redis, metrics, confirmAddresses } = foundations
  systemRoutes(app, {
    version,
    auth: {
      url: people.hosted?.url ?? authPrefix,
      publishableKey: people.hosted?.publishableKey ?? 'sallyport',
    },
    metrics,
    probe: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      await Promise.all([...volumes.all.map((volume) => volume.probe()), redis?.probe()])
    },
    isStopping,
    features: { sms: config.SMS_URL !== undefined, verificationRequired: confirmAddresses },
    operatorContact: config.OPERATOR_CONTACT,
    now: foundations.now,
  })
}

/** The post can be read in a browser only where nobody else's could come by: on a machine that serves no one. */
const showsOutbox = ({ NODE_ENV, TRUSTED_PROXIES }: Config, { hostname }: URL): boolean =>
  NODE_ENV !== 'production' && TRUSTED_PROXIES.length === 0 && isLoopbackName(hostname)
