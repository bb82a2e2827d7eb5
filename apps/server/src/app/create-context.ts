import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ServerContext } from '../context.ts'
import { createActivityStore } from '../modules/accounts/activity/activity.store.ts'
import { createActivityLog } from '../modules/accounts/activity/activity-log.ts'
import { createExpiryStore } from '../modules/files/expiry.store.ts'
import { type OpenDatabase, openDatabase } from '../platform/db/open.ts'
import { createMailQueueStore } from '../platform/email/mail-queue.store.ts'
import { openEmailService } from '../platform/email/open-email-service.ts'
import { createSecurityNotices } from '../platform/email/security-notices.ts'
import { createPublishToAccount, createPublishToSession } from '../platform/events/publish.ts'
import { createMetrics } from '../platform/monitoring/metrics.ts'
import { createSecurityLog } from '../platform/monitoring/security-log.ts'
import { runStartupStep } from '../platform/monitoring/startup-step.ts'
import { waitForStart } from '../platform/monitoring/wait-for-start.ts'
import { createFailedAttemptsStore } from '../platform/rate-limit/failed-attempts.store.ts'
import { createFailedAttempts } from '../platform/rate-limit/failed-attempts.ts'
import { createListSlots } from '../platform/rate-limit/list-slots.ts'
import { createPasswordHashing } from '../platform/rate-limit/password-hashing.ts'
import { createResources, type ResourceLimits } from '../platform/rate-limit/resources.ts'
import { openRedis } from '../platform/redis/redis.ts'
import { createEndAfterExpiry } from '../platform/storage/end-after-expiry.ts'
import { createFailpoint } from '../platform/storage/failpoints.ts'
import { openVolumes } from '../platform/storage/volumes.ts'
import { requireSecretFiles } from '../secret-fingerprints.store.ts'
import { openSecrets } from '../secrets.ts'
import { createSharedServices } from './shared-services.ts'
import { volumeFolders } from './volume-folders.ts'

export interface ContextOptions {
  readonly config: Config
  readonly logger: Logger
  readonly version: string
  /** The failpoint at which the process crashes, for crash recovery tests. */
  readonly failpointName?: string | undefined
  /** The environment of the process, a part of which its child processes inherit; empty by default. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Overrides the resource limits, for tests. */
  readonly resourceLimits?: ResourceLimits | undefined
  /** How long the start waits for a database or Redis that does not accept connections yet; not at all by default. */
  readonly startupWaitMs?: number | undefined
  /** Used instead of opening the configured database, for tests with a clock of their own. */
  readonly database?: OpenDatabase | undefined
}

/** Opens what all modules share: secrets, database, volumes, Redis. Rejects if one of them cannot be opened. */
export async function createContext(options: ContextOptions) {
  const { config, logger: log, version, failpointName, resourceLimits } = options
  const folder = resolve(config.DATA_DIR)
  const onError = (error: Error) => log.error({ err: error }, 'a background task failed')
  const secretsFolder = join(folder, 'secrets')
  await runStartupStep('The data folder (DATA_DIR)', async () =>
    mkdirSync(secretsFolder, { recursive: true, mode: 0o700 }),
  )
  const databaseUrl = config.DATABASE_URL
  const waiting = { maxMs: options.startupWaitMs ?? 0, log }
  const database = await runStartupStep(
    databaseUrl === undefined ? 'The database in the data folder (DATA_DIR)' : 'PostgreSQL (DATABASE_URL)',
    async () => options.database ?? waitForStart(() => openDatabase({ databaseUrl, folder, onError }), waiting),
  )
  const { db, clock } = database
  const { now } = clock
  if (!options.database) await requireSecretFiles(db, secretsFolder)
  const secrets = await runStartupStep('The data folder (DATA_DIR)', async () => openSecrets(secretsFolder))
  const redisUrl = config.REDIS_URL
  const redis = redisUrl === undefined ? null : await waitForStart(() => openRedis({ url: redisUrl, log }), waiting)
  const failpoint = createFailpoint(failpointName)
  const resources = createResources(resourceLimits, config.TRUSTED_PROXIES)
  const volumes = await runStartupStep('A folder for sealed bytes (VOLUMES)', () =>
    openVolumes({ folders: volumeFolders(config, folder), failpoint, writeBuffers: resources.writeBuffers }),
  )
  const shutdown = new AbortController()
  const shared = await createSharedServices({ redis, secret: secrets.pin, now, signal: shutdown.signal })
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  const mail = openEmailService({ config, store: createMailQueueStore(db), folder, publicUrl, now, log })
  const failedAttempts = createFailedAttempts({
    store: createFailedAttemptsStore(db),
    secret: secrets.pin,
    now,
    onError,
  })
  const activityLog = createActivityLog({ store: createActivityStore(db), now, log })
  const hashing = createPasswordHashing()

  const context: ServerContext = {
    ...shared,
    config,
    version,
    log,
    onError,
    strict: config.STRICT === 'on',
    confirmEmails: (config.VERIFY_ADDRESSES ?? (config.SMTP_URL === undefined ? 'off' : 'on')) === 'on',
    folder,
    publicUrl,
    secrets,
    db,
    now,
    clock,
    redis,
    publishToAccount: createPublishToAccount(shared.bus),
    publishToSession: createPublishToSession(shared.bus),
    volumes,
    endAfterExpiry: createEndAfterExpiry({ now, findExpiry: createExpiryStore(db) }),
    failpoint,
    emailService: mail.queue,
    notices: createSecurityNotices({ emailService: mail.queue, now, log }),
    securityLog: createSecurityLog({ log, hasAddresses: config.LOG_ADDRESSES === 'on', failedAttempts }),
    failedAttempts,
    recordActivity: activityLog.record,
    listActivity: activityLog.list,
    hashing,
    listSlots: createListSlots(),
    resources,
    metrics: createMetrics({ hashing }),
  }
  return {
    context,
    mail,
    activityLog,
    /** Call when nothing uses the context any more. */
    async close(): Promise<void> {
      await activityLog.close()
      await failedAttempts.close()
      await mail.queue.close()
      shutdown.abort()
      await redis?.close()
      await database.close()
    },
  }
}
