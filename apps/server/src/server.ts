import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { authPrefix } from '@sallyport/contract/auth'
import type { FastifyInstance } from 'fastify'
import { type ContextOptions, createContext } from './app/create-context.ts'
import { mountAccounts } from './app/mount-accounts.ts'
import { mountFiles } from './app/mount-files.ts'
import { mountSessionsAndPortals } from './app/mount-sessions-and-portals.ts'
import { createUsers, type Users } from './app/users.ts'
import type { Config } from './config.ts'
import type { ServerContext } from './context.ts'
import { createScheduler } from './jobs.ts'
import { createOrphanSweep } from './modules/files/cleanup/orphan-sweep.ts'
import { createStorageCheckStore } from './modules/files/cleanup/storage-check.store.ts'
import { createStorageCheck } from './modules/files/cleanup/storage-check.ts'
import { createSweepStore } from './modules/files/cleanup/sweep.store.ts'
import { createEndedSessionsSweep, createSweeper } from './modules/files/cleanup/sweeper.ts'
import { outboxRoutes } from './platform/email/outbox.routes.ts'
import { createApp } from './platform/http/app.ts'
import { isLoopbackHostname } from './platform/http/local-requests.ts'
import { servePages } from './platform/http/pages.ts'
import { systemRoutes } from './platform/monitoring/system.routes.ts'

export interface Server {
  readonly app: FastifyInstance
  /** Starts serving and resolves to the public URL. */
  listen(): Promise<string>
  /** Waits for running requests, then closes everything. */
  close(): Promise<void>
}

const webDistFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Creates the whole server, ready to listen: opens its resources, mounts every module and collects their jobs. */
export async function createServer(options: ContextOptions): Promise<Server> {
  const { config, logger } = options
  if (config.STRICT === 'off') logger.warn('STRICT is off: passwords, names and keys are accepted in any form')
  const opened = await createContext(options)
  const { context, mail } = opened
  const { publicUrl, db, metrics } = context
  const users = await createUsers(context)

  const app = await createApp({
    ...context,
    findAccount: users.provider.findAccount,
    requireLicence: users.licences.requireActive,
  })
  let stopping = false
  metrics.instrument(app)
  metrics.registerResources(context.resources)
  mountSystem(app, { context, users, isStopping: () => stopping })
  const sweepDeps = { ...context, store: createSweepStore(db), count: metrics.countSwept }
  const accountJobs = await mountAccounts(app, context, users)
  const uploads = mountFiles(app, context, users)
  const sweepEnded = createEndedSessionsSweep(sweepDeps)
  const sessionAndPortalJobs = await mountSessionsAndPortals(app, context, { users, uploads, sweepEnded })
  if (isOutboxVisible(config, publicUrl)) outboxRoutes(app, mail.outbox)
  await servePages(app, webDistFolder, users.hosted && new URL(users.hosted.url).origin)

  const scheduler = createScheduler({
    jobs: [
      createSweeper(sweepDeps),
      createOrphanSweep(sweepDeps),
      createStorageCheck({ ...context, store: createStorageCheckStore(db) }),
      ...accountJobs,
      ...sessionAndPortalJobs,
      ...mail.jobs,
    ],
    onError: (error, job) => logger.error({ err: error, job }, 'background job failed'),
  })

  return {
    app,
    async listen() {
      await app.listen({ port: config.PORT, host: config.HOST })
      scheduler.start()
      const { port } = app.server.address() as AddressInfo
      // The port is known only now; links in emails use it.
      if (config.PUBLIC_URL === undefined) publicUrl.port = String(port)
      return publicUrl.origin
    },
    async close() {
      stopping = true
      await app.close()
      await scheduler.stop()
      await opened.close()
    },
  }
}

interface SystemDeps {
  readonly context: ServerContext
  readonly users: Users
  readonly isStopping: () => boolean
}

/** Mounts the public configuration and the endpoints for operators and probes. */
function mountSystem(app: FastifyInstance, { context, users, isStopping }: SystemDeps): void {
  const { config, db, volumes, redis, confirmEmails } = context
  systemRoutes(app, {
    ...context,
    auth: {
      url: users.hosted?.url ?? authPrefix,
      publishableKey: users.hosted?.publishableKey ?? 'sallyport',
    },
    probe: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      await Promise.all([...volumes.all.map((volume) => volume.probe()), redis?.probe()])
    },
    isStopping,
    features: { sms: config.SMS_URL !== undefined, verificationRequired: confirmEmails },
    operatorContact: config.OPERATOR_CONTACT,
  })
}

/** The outbox is readable in a browser only on a development machine without a proxy. */
const isOutboxVisible = ({ NODE_ENV, TRUSTED_PROXIES }: Config, { hostname }: URL): boolean =>
  NODE_ENV !== 'production' && TRUSTED_PROXIES.length === 0 && isLoopbackHostname(hostname)
