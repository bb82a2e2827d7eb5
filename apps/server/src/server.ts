import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { authPrefix } from '@sallyport/contract/auth'
import type { FastifyInstance } from 'fastify'
import { type ContextOptions, createContext } from './app/create-context.ts'
import { requireBillingProvider } from './app/create-plans.ts'
import { describeStart } from './app/describe-start.ts'
import { mountAccounts } from './app/mount-accounts.ts'
import { mountAdmin } from './app/mount-admin.ts'
import { mountBilling } from './app/mount-billing.ts'
import { mountFiles } from './app/mount-files.ts'
import { mountOrganizations } from './app/mount-organizations.ts'
import { mountSessionsAndPortals } from './app/mount-sessions-and-portals.ts'
import { createUsers, type Users } from './app/users.ts'
import type { Config } from './config.ts'
import type { ServerContext } from './context.ts'
import { createScheduler, type Scheduler } from './jobs.ts'
import { watchMissingVolumes } from './missing-volumes.store.ts'
import { billingModeOf, billingWarningOf } from './modules/billing/billing-mode.ts'
import { offeredPlans } from './modules/billing/plans.ts'
import { createOrphanSweep } from './modules/files/cleanup/orphan-sweep.ts'
import { createStorageCheckStore } from './modules/files/cleanup/storage-check.store.ts'
import { createStorageCheck } from './modules/files/cleanup/storage-check.ts'
import { createSweepStore } from './modules/files/cleanup/sweep.store.ts'
import { createEndedSessionsSweep, createSweeper, removeUnstartedUploads } from './modules/files/cleanup/sweeper.ts'
import { createClockJob } from './platform/db/clock/clock-job.ts'
import { acquireInstanceLock } from './platform/db/instance-lock.ts'
import { outboxRoutes } from './platform/email/outbox.routes.ts'
import { createApp } from './platform/http/app.ts'
import { isLoopbackHostname } from './platform/http/local-requests.ts'
import { servePages } from './platform/http/pages.ts'
import { countRequests } from './platform/monitoring/count-requests.ts'
import { runStartupStep } from './platform/monitoring/startup-step.ts'
import { systemRoutes } from './platform/monitoring/system.routes.ts'
import { createOnlineAccounts } from './platform/realtime/online-accounts.ts'
import { requireSameSecrets } from './secret-fingerprints.store.ts'

export interface Server {
  readonly app: FastifyInstance
  /** Starts serving and resolves to the public URL. */
  listen(): Promise<string>
  /** Continues to serve, but is not ready any more, until no request is running, at most for this time. */
  drain(maxMs: number): Promise<void>
  /** Waits for running requests, by default until they end, then closes everything. Others are cut off. */
  close(maxMs?: number): Promise<void>
}

const webDistFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Creates the whole server, ready to listen: opens its resources, mounts every module and collects their jobs. */
export async function createServer(options: ContextOptions): Promise<Server> {
  const { config, logger } = options
  if (config.STRICT === 'off') logger.warn('STRICT is off: passwords, names and keys are accepted in any form')
  const opened = await createContext(options)
  const { context, mail, activityLog } = opened
  const { publicUrl, db, metrics } = context
  const billingMode = billingModeOf(config, publicUrl)
  const warning = billingWarningOf(config, publicUrl)
  if (warning !== null) logger.warn(warning)
  const users = await createUsers(context, { billingMode })
  await requireBillingProvider(users)
  // All secrets have been opened or created now.
  await requireSameSecrets(db, context.secrets.folder)
  const lock = context.redis ? null : await acquireInstanceLock({ ...context, databaseUrl: config.DATABASE_URL })
  const openIds = context.volumes.all.map(({ id }) => id)
  const requireAllVolumes = await watchMissingVolumes({ ...context, openIds })

  const app = await createApp({
    ...context,
    findAccount: users.provider.findAccount,
    requireLicence: users.licences.requireActive,
    isAdmin: users.admins.isAdmin,
  })
  let stopping = false
  const requests = countRequests(app)
  function cutRequests(): void {
    if (requests.count() > 0) logger.warn({ requests: requests.count() }, 'requests were cut off by the stop')
    app.server.closeAllConnections()
  }
  metrics.instrument(app)
  metrics.registerResources(context.resources)
  mountSystem(app, { context, users, requireAllVolumes, isStopping: () => stopping })
  const sweepDeps = { ...context, store: createSweepStore(db), count: metrics.countSwept }
  if (!context.redis) await removeUnstartedUploads(sweepDeps)
  const accountJobs = await mountAccounts(app, context, users)
  const billingJobs = mountBilling(app, context, users)
  mountOrganizations(app, context, users)
  const online = createOnlineAccounts(context)
  const adminJobs = await mountAdmin(app, context, {
    users,
    online,
    erase: (kind, limit) => scheduler.erase(kind, limit),
    environment: options.environment ?? {},
  })
  const uploads = mountFiles(app, context, users)
  const sweepEnded = createEndedSessionsSweep(sweepDeps)
  const sessionAndPortalJobs = await mountSessionsAndPortals(app, context, { users, uploads, sweepEnded, online })
  if (isOutboxVisible(config, publicUrl)) outboxRoutes(app, mail.outbox)
  servePages(app, webDistFolder, users.hosted && new URL(users.hosted.url).origin)

  const scheduler: Scheduler = createScheduler({
    jobs: [
      createClockJob(context),
      createSweeper(sweepDeps),
      createOrphanSweep(sweepDeps),
      createStorageCheck({ ...context, store: createStorageCheckStore(db) }),
      ...accountJobs,
      ...billingJobs,
      ...adminJobs,
      ...sessionAndPortalJobs,
      ...mail.jobs,
      activityLog.cleanupJob,
      context.failedAttempts.cleanupJob,
    ],
    isTimeRight: () => context.clock.jump() === null,
    onError: (error, job) => logger.error({ err: error, job }, 'background job failed'),
  })

  return {
    app,
    async listen() {
      await runStartupStep('The port (PORT) or the address (HOST)', () =>
        app.listen({ port: config.PORT, host: config.HOST }),
      )
      scheduler.start()
      const { port } = app.server.address() as AddressInfo
      // The port is known only now; links in emails use it.
      if (config.PUBLIC_URL === undefined) publicUrl.port = String(port)
      logger.info(await describeStart(context), 'started')
      return publicUrl.origin
    },
    async drain(maxMs) {
      stopping = true
      await requests.whenIdle(maxMs)
    },
    async close(maxMs) {
      stopping = true
      const cutting = maxMs === undefined ? undefined : setTimeout(() => cutRequests(), maxMs)
      await app.close()
      clearTimeout(cutting)
      await scheduler.stop()
      await opened.close()
      await lock?.release()
    },
  }
}

interface SystemDeps {
  readonly context: ServerContext
  readonly users: Users
  /** Throws while files are on volumes that are not open. */
  readonly requireAllVolumes: () => Promise<void>
  readonly isStopping: () => boolean
}

/** Mounts the public configuration and the endpoints for operators and probes. */
function mountSystem(app: FastifyInstance, deps: SystemDeps): void {
  const { context, users, requireAllVolumes, isStopping } = deps
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
      await requireAllVolumes()
    },
    isStopping,
    features: {
      payments: users.billing !== null,
      sms: config.SMS_URL !== undefined,
      verificationRequired: confirmEmails,
    },
    plans: offeredPlans(users.registrationTerms),
    operatorContact: config.OPERATOR_CONTACT,
    sourceUrl: config.SOURCE_URL,
    getRegistrationMode: users.registrationPolicy.shownMode,
  })
}

/** The outbox is readable in a browser only on a development machine without a proxy. */
const isOutboxVisible = ({ NODE_ENV, TRUSTED_PROXIES }: Config, { hostname }: URL): boolean =>
  NODE_ENV !== 'production' && TRUSTED_PROXIES.length === 0 && isLoopbackHostname(hostname)
