import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authPrefix } from '@sallyport/contract/auth'
import { messageLimits, sweepLimits } from '@sallyport/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { accountKeyRoutes } from './account-keys/account-keys.routes.ts'
import { createAccountKeys } from './account-keys/account-keys.service.ts'
import { createAccountKeysStore } from './account-keys/account-keys.store.ts'
import { createDeviceSharesStore } from './account-keys/device-shares.store.ts'
import { createDeviceShares } from './account-keys/device-shares.ts'
import { createRecoveryKeysStore } from './account-keys/recovery-keys.store.ts'
import { signInRoutes } from './account-sign-ins/sign-ins.routes.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { createAccountsStore, furnishAccount } from './accounts/accounts.store.ts'
import { createAccountReaders } from './accounts/readers.ts'
import { createSaltsStore } from './accounts/salts.store.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { type AuthStores, createAuthStores } from './auth/auth.store.ts'
import { createEmbeddedProvider } from './auth/embedded-provider.ts'
import { openProviderSecret } from './auth/provider-secret.ts'
import { productSettings } from './auth/provider-settings.ts'
import { openSigningKeys } from './auth/signing-keys.ts'
import { failPointOf } from './blobs/fail-points.ts'
import { openVolumes } from './blobs/volumes.ts'
import { createLocalBus } from './bus/bus.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/open.ts'
import { fileRoutes } from './files/files.routes.ts'
import { createFiles } from './files/files.service.ts'
import { createFilesStore } from './files/files.store.ts'
import { createApp } from './http/app.ts'
import { servePages } from './http/pages.ts'
import { createOrphanPass } from './jobs/orphans.ts'
import { createScheduler, type Job } from './jobs/scheduler.ts'
import { createStorageCheckStore } from './jobs/storage-check.store.ts'
import { createStorageCheck } from './jobs/storage-check.ts'
import { createSweeper } from './jobs/sweeper.ts'
import { createSweepingStore } from './jobs/sweeping.store.ts'
import { createLocalAttempts } from './limits/attempts.ts'
import { announceOver } from './live/announce.ts'
import { liveRoutes } from './live/live.routes.ts'
import { isOwnOrigin } from './live/own-origin.ts'
import { createTickets } from './live/tickets.ts'
import { openSecrets } from './secrets.ts'
import { createSharesStore } from './sharing/shares.store.ts'
import { shareRoutes } from './sharing/sharing.routes.ts'
import { createSharing } from './sharing/sharing.service.ts'
import { createMetrics } from './system/metrics.ts'
import { systemRoutes } from './system/system.routes.ts'
import { uploadRoutes } from './uploads/uploads.routes.ts'
import { createUploads } from './uploads/uploads.service.ts'
import { createUploadsStore } from './uploads/uploads.store.ts'

interface Wishes {
  readonly config: Config
  readonly logger: Logger
  readonly version: string
  /** Where the process ends itself, for the tests of what a crash leaves behind. */
  readonly failpoint?: string | undefined
}

export interface Server {
  readonly app: FastifyInstance
  /** Begins to serve and answers where. */
  listen(): Promise<string>
  /** Lets what is under way end, then closes everything. */
  close(): Promise<void>
}

const pageFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The whole server: opens its parts, and is the one place where features are handed to each other. */
export async function createServer({ config, logger, version, failpoint }: Wishes): Promise<Server> {
  const strict = config.STRICT === 'on'
  const folder = resolve(config.DATA_DIR)
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  const onError = (error: Error) => logger.error({ err: error }, 'a part of the server failed')
  if (!strict) logger.warn('STRICT is off: passwords, names and keys are taken in any form')

  const secrets = openSecrets(join(folder, 'secrets'))
  const keys = await openSigningKeys(secrets.folder)
  const { db, now, close: closeDatabase } = await openDatabase({ databaseUrl: config.DATABASE_URL, folder, onError })
  const reached = failPointOf(failpoint)
  const volumes = await openVolumes({ folders: volumeFolders(config, folder), reached })
  const bus = createLocalBus()
  const announce = announceOver(bus)
  const attempts = createLocalAttempts(now)
  const metrics = createMetrics()
  const accounts = createAccountsStore(db)
  const authStores = createAuthStores(db, furnishAccount)
  const provider = createEmbeddedProvider({
    stores: authStores,
    keys,
    secret: openProviderSecret(secrets.folder),
    issuer: new URL(authPrefix, publicUrl).href,
    attempts,
    bus,
    now,
    settings: { ...productSettings, strict },
  })

  const app = await createApp({
    logger,
    findAccount: provider.findAccount,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl,
    operatorToken: config.OPERATOR_TOKEN,
  })
  let stopping = false
  metrics.watch(app)
  systemRoutes(app, {
    version,
    auth: { url: authPrefix, publishableKey: 'sallyport' },
    metrics,
    probe: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      await Promise.all(volumes.all.map((volume) => volume.probe()))
    },
    isStopping: () => stopping,
  })
  await authRoutes(app, { provider, version })
  accountRoutes(app, {
    provider,
    accounts,
    salts: createSaltsStore(db),
    saltSecret: secrets.salt,
    attempts,
    strict,
    now,
  })
  const accountKeys = createAccountKeys({
    keys: createAccountKeysStore(db),
    recoveryKeys: createRecoveryKeysStore(db),
    now,
  })
  const deviceShares = createDeviceShares({ store: createDeviceSharesStore(db), provider, bus, now, onError })
  accountKeyRoutes(app, { accountKeys, deviceShares })
  signInRoutes(app, { provider })
  const { storageLimitOf, expirationMinutesOf } = createAccountReaders(accounts)
  const uploads = createUploads({
    store: createUploadsStore(db),
    volumes,
    announce,
    now,
    strict,
    storageLimitOf,
    expirationMinutesOf,
    reached,
  })
  uploadRoutes(app, { uploads })
  const files = createFiles({ store: createFilesStore(db), volumes, announce, now, reached })
  fileRoutes(app, { files, volumes, strict })
  const sharing = createSharing({ store: createSharesStore(db), secret: secrets.share, attempts, now, strict })
  shareRoutes(app, { sharing, volumes, strict })
  liveRoutes(app, {
    tickets: createTickets(now),
    bus,
    isOwnOrigin: (origin, host) => isOwnOrigin(publicUrl, origin, host),
  })
  await servePages(app, pageFolder)

  const sweeping = { store: createSweepingStore(db), volumes, log: logger, count: metrics.countSwept }
  const scheduler = createScheduler({
    jobs: [
      createSweeper({ ...sweeping, announce, now, reached }),
      createOrphanPass(sweeping),
      createStorageCheck({ store: createStorageCheckStore(db), log: logger }),
      deviceShares.forgetOld,
      forgetEndedSignIns(authStores, now),
    ],
    onError: (error, job) => logger.error({ err: error, job }, 'a job failed'),
  })

  return {
    app,
    async listen() {
      await app.listen({ port: config.PORT, host: config.HOST })
      scheduler.start()
      const { port } = app.server.address() as AddressInfo
      return config.PUBLIC_URL ?? `http://localhost:${port}`
    },
    async close() {
      stopping = true
      await app.close()
      await scheduler.stop()
      await closeDatabase()
    },
  }
}

/** Sign-ins that are over serve nobody; their tokens go with them. What was mailed is remembered for a while longer. */
function forgetEndedSignIns({ signIns, oneTimeTokens }: AuthStores, now: () => number): Job {
  return {
    name: 'ended sign-ins',
    everyMs: sweepLimits.everyMs,
    async run() {
      await signIns.removeEnded(now(), sweepLimits.batch)
      await oneTimeTokens.removeEnded(now() - messageLimits.rememberedMs, sweepLimits.batch)
    },
  }
}

/** Where sealed bytes are kept: the folders that were named, else one in the data folder. */
function volumeFolders(config: Config, folder: string): string[] {
  return config.VOLUMES.length > 0 ? config.VOLUMES.map((path) => resolve(path)) : [join(folder, 'volumes', 'main')]
}
