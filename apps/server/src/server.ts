import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authPrefix } from '@sallyport/contract/auth'
import { messageLimits, signInLimits, sweepLimits } from '@sallyport/contract/limits'
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
import { createAccountsStore } from './accounts/accounts.store.ts'
import { createAccountReaders } from './accounts/readers.ts'
import { createRegistration } from './accounts/registration.service.ts'
import { createSaltsStore } from './accounts/salts.store.ts'
import { createSalts } from './accounts/salts.ts'
import { createAdminsStore } from './admin/admins.store.ts'
import { createFirstAdmin } from './admin/first-admin.ts'
import { archiveRoutes } from './archive/archive.routes.ts'
import { type AuthStores, createAuthStores } from './auth/auth.store.ts'
import { createEmbeddedProvider } from './auth/embedded-provider.ts'
import { backupCodeRoutes } from './auth/factors/backup-codes.routes.ts'
import { noBackupCodes } from './auth/factors/backup-codes.ts'
import { readHostedPlace } from './auth/hosted/hosted-place.ts'
import { createHostedProvider } from './auth/hosted/hosted-provider.ts'
import { createMirrorStore } from './auth/hosted/mirror.store.ts'
import { authRoutes } from './auth/protocol/auth.routes.ts'
import type { AuthProvider } from './auth/provider.ts'
import { openProviderSecret } from './auth/provider-secret.ts'
import { productSettings } from './auth/provider-settings.ts'
import { openSigningKeys } from './auth/tokens/signing-keys.ts'
import { failPointOf } from './blobs/fail-points.ts'
import { openVolumes } from './blobs/volumes.ts'
import { createMessageSweeper } from './chat/message-sweeper.ts'
import { messageRoutes } from './chat/messages.routes.ts'
import { createMessages } from './chat/messages.service.ts'
import { createMessagesStore } from './chat/messages.store.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/open.ts'
import { fileRoutes } from './files/files.routes.ts'
import { createFiles } from './files/files.service.ts'
import { createFilesStore } from './files/files.store.ts'
import { createApp } from './http/app.ts'
import { servePages } from './http/pages.ts'
import { invitationRoutes } from './invitations/invitations.routes.ts'
import { createInvitations } from './invitations/invitations.service.ts'
import { createOrphanPass } from './jobs/orphans.ts'
import { createScheduler, type Job } from './jobs/scheduler.ts'
import { createStorageCheckStore } from './jobs/storage-check.store.ts'
import { createStorageCheck } from './jobs/storage-check.ts'
import { createEndedSessionsSweep, createSweeper } from './jobs/sweeper.ts'
import { createSweepingStore } from './jobs/sweeping.store.ts'
import { furnishAccount } from './licences/furnish.store.ts'
import { createLicenceOffersStore } from './licences/licence-offers.store.ts'
import { createLicenceOffers } from './licences/licence-offers.ts'
import { createLicencesStore } from './licences/licences.store.ts'
import { createLicences } from './licences/licences.ts'
import { createPinFailuresStore } from './limits/pin-failures.store.ts'
import { createPinGuard } from './limits/pin-guard.ts'
import { announceOver, announceToSessionOver } from './live/announce.ts'
import { createEndedWatch } from './live/ended-watch.ts'
import { liveRoutes } from './live/live.routes.ts'
import { isOwnOrigin } from './live/own-origin.ts'
import { createSocketDoor } from './live/socket-door.ts'
import { openPortals } from './portals/open-portals.ts'
import { portalRoutes } from './portals/portals.routes.ts'
import { openPost } from './post/open-post.ts'
import { isLoopbackName, outboxRoutes } from './post/outbox.routes.ts'
import { createPostQueueStore } from './post/post-queue.store.ts'
import { openRedis } from './redis/redis.ts'
import { openSharedParts } from './redis/shared-parts.ts'
import { openSecrets } from './secrets.ts'
import { allSessionRoutes } from './sessions/all-sessions.routes.ts'
import { openSessions } from './sessions/open-sessions.ts'
import { createSessionListening } from './sessions/session-listening.ts'
import { createSessionStores } from './sessions/session-stores.store.ts'
import { createShareClaimsStore } from './sharing/share-claims.store.ts'
import { createSharesStore } from './sharing/shares.store.ts'
import { shareRoutes } from './sharing/sharing.routes.ts'
import { createSharing } from './sharing/sharing.service.ts'
import { createMetrics } from './system/metrics.ts'
import { namingSetting } from './system/naming-setting.ts'
import { systemRoutes } from './system/system.routes.ts'
import { withBytesOfPerson } from './uploads/bytes-of-person.ts'
import { uploadSocketRoutes } from './uploads/upload-socket.routes.ts'
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

  const secrets = await namingSetting('The data folder (DATA_DIR)', async () => openSecrets(join(folder, 'secrets')))
  const keys = await openSigningKeys(secrets.folder)
  const databaseUrl = config.DATABASE_URL
  const {
    db,
    now,
    close: closeDatabase,
  } = await namingSetting(
    databaseUrl === undefined ? 'The database in the data folder (DATA_DIR)' : 'PostgreSQL (DATABASE_URL)',
    () => openDatabase({ databaseUrl, folder, onError }),
  )
  const redis = config.REDIS_URL === undefined ? null : await openRedis({ url: config.REDIS_URL, log: logger })
  const reached = failPointOf(failpoint)
  const folders = volumeFolders(config, folder)
  const volumes = await namingSetting('A folder for sealed bytes (VOLUMES)', () => openVolumes({ folders, reached }))
  const ending = new AbortController()
  const shared = await openSharedParts({ redis, secret: secrets.pin, now, signal: ending.signal })
  const { bus, attempts } = shared
  const announce = announceOver(bus)
  const announceToSession = announceToSessionOver(bus)
  const metrics = createMetrics()
  const accounts = createAccountsStore(db)
  const licences = createLicences({ store: createLicencesStore(db), bus, now })
  const offers = createLicenceOffers({ store: createLicenceOffersStore(db), now })
  const confirmAddresses = (config.VERIFY_ADDRESSES ?? (config.SMTP_URL === undefined ? 'off' : 'on')) === 'on'
  const registrationsPerHour = config.REGISTRATIONS_PER_HOUR
  const post = openPost({
    store: createPostQueueStore(db),
    secretsFolder: secrets.folder,
    dataFolder: folder,
    publicUrl,
    smtpUrl: config.SMTP_URL,
    smsUrl: config.SMS_URL,
    mailFrom: config.MAIL_FROM,
    now,
    log: logger,
  })
  const uploadsStore = createUploadsStore(db)
  const plainStores = createAuthStores(db, furnishAccount)
  const remove = withBytesOfPerson(plainStores.users.remove, { store: uploadsStore, volumes })
  const authStores: AuthStores = { ...plainStores, users: { ...plainStores.users, remove } }
  const saltsStore = createSaltsStore(db)
  const hosted = readHostedPlace(config)
  const embedded = createEmbeddedProvider({
    stores: authStores,
    keys,
    secret: openProviderSecret(secrets.folder),
    issuer: new URL(authPrefix, publicUrl).href,
    publicUrl,
    post: post.office,
    attempts,
    bus,
    now,
    onRename: saltsStore.follow,
    log: logger,
    settings: {
      ...productSettings,
      strict,
      confirmAddresses,
      confirmNumbers: config.SMS_URL !== undefined,
      registrationsPerHour,
    },
  })
  const provider: AuthProvider = hosted
    ? createHostedProvider({
        ...hosted,
        mirror: createMirrorStore(db, furnishAccount),
        listSignIns: embedded.listSignIns,
        attempts,
        bus,
        now,
        strict,
      })
    : embedded

  const app = await createApp({
    logger,
    findAccount: provider.findAccount,
    demandLicence: licences.demand,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl,
    operatorToken: config.OPERATOR_TOKEN,
  })
  let stopping = false
  metrics.watch(app)
  systemRoutes(app, {
    version,
    auth: {
      url: hosted?.url ?? authPrefix,
      publishableKey: hosted?.publishableKey ?? 'sallyport',
    },
    metrics,
    probe: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      await Promise.all([...volumes.all.map((volume) => volume.probe()), redis?.probe()])
    },
    isStopping: () => stopping,
    features: { sms: config.SMS_URL !== undefined, verificationRequired: confirmAddresses },
    operatorContact: config.OPERATOR_CONTACT,
  })
  if (!hosted) await authRoutes(app, { protocol: embedded.protocol, version })
  const salts = createSalts({ salts: saltsStore, secret: secrets.salt })
  const entry = { provider, salts, attempts, confirmAddresses, registrationsPerHour, strict, now }
  const registration = createRegistration({ ...entry, post: post.office, offers, publicUrl })
  const onSignIn = createFirstAdmin({ ...entry, admins: createAdminsStore(db), emails: config.ADMIN_EMAILS })
  const revealUnknown = config.AUTH_REVEAL_UNKNOWN_ACCOUNTS === 'on'
  accountRoutes(app, { ...entry, accounts, licences, registration, revealUnknown, onSignIn })
  invitationRoutes(app, { invitations: createInvitations({ offers, attempts }), register: registration.register })
  const accountKeys = createAccountKeys({
    keys: createAccountKeysStore(db),
    recoveryKeys: createRecoveryKeysStore(db),
    now,
  })
  const deviceShares = createDeviceShares({ store: createDeviceSharesStore(db), provider, bus, now, onError })
  accountKeyRoutes(app, { accountKeys, deviceShares })
  signInRoutes(app, { provider })
  backupCodeRoutes(app, { backupCodes: hosted ? noBackupCodes : embedded.backupCodes })
  const { storageLimitOf, expirationMinutesOf } = createAccountReaders(accounts, licences)
  const uploads = createUploads({
    store: uploadsStore,
    volumes,
    announce,
    announceToSession,
    now,
    strict,
    storageLimitOf,
    expirationMinutesOf,
    reached,
  })
  uploadRoutes(app, { uploads, attempts })
  const files = createFiles({ store: createFilesStore(db), volumes, announce, now, reached })
  fileRoutes(app, { files, volumes, strict })
  archiveRoutes(app, { files, volumes, now })
  const sharing = createSharing({
    store: createSharesStore(db),
    claims: createShareClaimsStore(db),
    secret: secrets.share,
    attempts,
    announce,
    now,
    strict,
  })
  shareRoutes(app, { sharing, volumes, strict })
  const messageStore = createMessagesStore(db)
  const messages = createMessages({ store: messageStore, attempts, announce, now, strict, expirationMinutesOf })
  messageRoutes(app, { messages })
  const endedWatch = createEndedWatch({ liveAmong: (ids) => authStores.signIns.liveAmong(ids, now()), bus })
  const tickets = shared.openTickets('live')
  const door = createSocketDoor({
    tickets,
    bus,
    perAccount: config.SOCKETS_PER_ACCOUNT,
    watch: endedWatch.watch,
    isOwnOrigin: (origin, host) => isOwnOrigin(publicUrl, origin, host),
  })
  uploadSocketRoutes(app, { uploads, door, findAccount: provider.findAccount, demandLicence: licences.demand })
  const sweeping = { store: createSweepingStore(db), volumes, log: logger, count: metrics.countSwept }
  const guard = createPinGuard({
    store: createPinFailuresStore(db),
    attempts,
    turns: shared.turns,
    secret: secrets.pin,
    now,
    onFailure: metrics.countWrongPin,
  })
  const sessions = openSessions({
    stores: createSessionStores(db),
    secret: secrets.session,
    guard,
    attempts,
    uploads,
    volumes,
    bus,
    openTickets: shared.openTickets,
    sweepEnded: createEndedSessionsSweep(sweeping),
    now,
    strict,
    log: logger,
  })
  allSessionRoutes(app, { opened: sessions, volumes, strict })
  liveRoutes(app, { tickets, bus, door, visitors: createSessionListening({ ...sessions, door, bus }) })
  const portals = await openPortals({
    config,
    attempts,
    pins: guard,
    openTickets: shared.openTickets,
    now,
    secret: secrets.pin,
    redis,
  })
  portalRoutes(app, { ...portals, attempts, door, now })
  if (showsOutbox(config, publicUrl)) outboxRoutes(app, post.outbox)
  await servePages(app, pageFolder, hosted && new URL(hosted.url).origin)

  const scheduler = createScheduler({
    jobs: [
      createSweeper({ ...sweeping, announce, announceToSession, now, reached }),
      createMessageSweeper({ store: messageStore, announce, now, log: logger }),
      createOrphanPass(sweeping),
      createStorageCheck({ store: createStorageCheckStore(db), log: logger }),
      deviceShares.forgetOld,
      endedWatch.job,
      forgetEndedSignIns(authStores, now, hosted ? signInLimits.absoluteMs : 0),
      ...sessions.jobs,
      ...portals.jobs,
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
      ending.abort()
      await redis?.close()
      await closeDatabase()
    },
  }
}

/**
 * Sign-ins that are over serve nobody; their tokens go with them. What was mailed is remembered for a while longer, and
 * so are sign-ins of a provider elsewhere, which does not know that they were ended here.
 */
function forgetEndedSignIns(stores: AuthStores, now: () => number, rememberedMs: number): Job {
  const { signIns, oneTimeTokens, factors } = stores
  return {
    name: 'ended sign-ins',
    everyMs: sweepLimits.everyMs,
    async run() {
      await signIns.removeEnded(now() - rememberedMs, sweepLimits.batch)
      await factors.removeEndedChallenges(now(), sweepLimits.batch)
      await oneTimeTokens.removeEnded(now() - messageLimits.rememberedMs, sweepLimits.batch)
    },
  }
}

/** The post can be read in a browser only where nobody else's could come by: on a machine that serves no one. */
const showsOutbox = ({ NODE_ENV, TRUSTED_PROXIES }: Config, { hostname }: URL): boolean =>
  NODE_ENV !== 'production' && TRUSTED_PROXIES.length === 0 && isLoopbackName(hostname)

/** Where sealed bytes are kept: the folders that were named, else one in the data folder. */
function volumeFolders(config: Config, folder: string): string[] {
  return config.VOLUMES.length > 0 ? config.VOLUMES.map((path) => resolve(path)) : [join(folder, 'volumes', 'main')]
}
