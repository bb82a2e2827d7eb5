import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { authPrefix } from '@sallyport/contract/auth'
import { runBackupCommand } from './app/backup-commands.ts'
import { createBillingSetup } from './app/billing-setup.ts'
import { createPlans } from './app/create-plans.ts'
import { readVersion } from './app/read-version.ts'
import { createRemoveUser } from './app/remove-user.ts'
import { requireDatabase } from './app/require-database.ts'
import { volumeFolders } from './app/volume-folders.ts'
import { type Config, readConfig } from './config.ts'
import { registrationTermsOf } from './modules/accounts/licences/licence.rules.ts'
import { createLicenceOffersStore } from './modules/accounts/licences/licence-offers.store.ts'
import { createLicenceOffers } from './modules/accounts/licences/licence-offers.ts'
import { createLicencesStore } from './modules/accounts/licences/licences.store.ts'
import { createLicences } from './modules/accounts/licences/licences.ts'
import { createProvisionAccount } from './modules/accounts/licences/provision-account.store.ts'
import { createAccountSummariesStore } from './modules/admin/account-summaries.store.ts'
import { createAdminsStore } from './modules/admin/admins.store.ts'
import { createAuditStore } from './modules/admin/audit/audit.store.ts'
import { createAudit } from './modules/admin/audit/audit.ts'
import { isBackupCommand } from './modules/admin/backup/backup-options.ts'
import { createCommands } from './modules/admin/commands.ts'
import { UsageError } from './modules/admin/options.ts'
import { usage } from './modules/admin/usage.ts'
import { createAuthSessionsStore } from './modules/auth/sign-ins/auth-sessions.store.ts'
import { createAccessTokens } from './modules/auth/tokens/access-tokens.ts'
import { openSigningKeys, rotateSigningKeys } from './modules/auth/tokens/signing-keys.ts'
import { createUsersStore } from './modules/auth/users/users.store.ts'
import { billingModeOf } from './modules/billing/billing-mode.ts'
import { createUploadsStore } from './modules/files/uploads/uploads.store.ts'
import { type OpenDatabase, openDatabase } from './platform/db/open.ts'
import { createMailQueueStore } from './platform/email/mail-queue.store.ts'
import { openEmailService } from './platform/email/open-email-service.ts'
import { createSecurityNotices, noticeAddress } from './platform/email/security-notices.ts'
import { createLocalBus } from './platform/events/bus.ts'
import { createLogger } from './platform/http/logger.ts'
import { createLocalMutex } from './platform/rate-limit/mutex.ts'
import { createLocalRateLimiter } from './platform/rate-limit/rate-limiter.ts'
import { openVolumes, volumeIdFile } from './platform/storage/volumes.ts'
import { requireSameSecrets, requireSecretFiles } from './secret-fingerprints.store.ts'
import { openSecret } from './secrets.ts'

export interface AdminCommandInput {
  readonly args: readonly string[]
  /** The settings of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Resolves once the reader has accepted the text. */
  readonly print: (text: string) => Promise<void>
  readonly printError: (text: string) => void
  /** Aborted to interrupt `backup`, `restore` or `drill`. */
  readonly signal: AbortSignal
}

/** Runs one command of the operator and returns the exit code of its process; an error is printed. */
export async function runAdminCommand(input: AdminCommandInput): Promise<number> {
  try {
    await runCommand(input)
    return 0
  } catch (error) {
    const cause = input.signal.aborted ? input.signal.reason : error
    const message = cause instanceof Error ? cause.message : String(cause)
    input.printError(error instanceof UsageError ? `${message}\n\n${usage}` : message)
    return 1
  }
}

/** Runs one command with the settings and the database of the server, which can be running. */
async function runCommand({ args, environment, print, printError, signal }: AdminCommandInput): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help')) return print(usage)
  if (isBackupCommand(args[0])) return runBackupCommand({ args, environment, print, printError, signal })
  const config = readConfig(environment)
  const folder = resolve(config.DATA_DIR)
  const secretsFolder = join(folder, 'secrets')
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  requireDatabase(config, folder)
  if (config.PUBLIC_URL === undefined) printError(`PUBLIC_URL is not set: links begin with ${publicUrl}`)
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, folder, onError: () => undefined })
  try {
    await requireSecretFiles(database.db, secretsFolder)
    // Created here if the server has not started since the update that brought the audit log.
    const auditKey = openSecret(secretsFolder, 'audit')
    await requireSameSecrets(database.db, secretsFolder, ['audit'])
    await runOnDatabase({ args, print, config, folder, secretsFolder, auditKey, publicUrl, ...database })
  } finally {
    await database.close()
  }
}

interface RunOnDatabaseInput extends Pick<AdminCommandInput, 'args' | 'print'>, OpenDatabase {
  readonly config: Config
  readonly folder: string
  readonly secretsFolder: string
  readonly auditKey: Buffer
  readonly publicUrl: URL
}

async function runOnDatabase(input: RunOnDatabaseInput): Promise<void> {
  const { args, print, config, folder, secretsFolder, auditKey, publicUrl, db, clock } = input
  const { now } = clock
  const log = createLogger('silent')
  const { queue } = openEmailService({ config, store: createMailQueueStore(db), folder, publicUrl, now, log })
  const notices = createSecurityNotices({ emailService: queue, now, log })
  const licencesStore = createLicencesStore(db)
  const registrationTerms = registrationTermsOf(config)
  const bus = createLocalBus()
  const plans = await createPlans(
    {
      config,
      version: readVersion(),
      secrets: { salt: openSecret(secretsFolder, 'salt') },
      db,
      bus,
      publishToAccount: () => undefined,
      mutex: createLocalMutex(),
      rateLimiter: createLocalRateLimiter(now),
      publicUrl,
      now,
      onError: (error) => log.error(error),
    },
    billingModeOf(config, publicUrl),
  )
  const users = createUsersStore(db, createProvisionAccount(registrationTerms))
  const commands = createCommands({
    users,
    summaries: createAccountSummariesStore(db),
    requireEmbeddedProvider() {
      if (config.AUTH_MODE === 'hosted')
        throw new UsageError('Do this at the hosted auth provider, which has the users', 'HOSTED_PROVIDER')
    },
    async removeUser(userId) {
      // Volumes that are not mounted are not created; the server's orphan sweep removes what is left on them.
      const folders = volumeFolders(config, folder).filter((path) => existsSync(join(path, volumeIdFile)))
      const volumes = await openVolumes({ folders })
      return createRemoveUser({
        users,
        uploadsStore: createUploadsStore(db),
        volumes,
        notices,
        beforeRemoval: plans.beforeRemoval,
      })(userId)
    },
    authSessions: createAuthSessionsStore(db),
    admins: createAdminsStore(db),
    audit: createAudit({ store: createAuditStore(db), key: auditKey, now }),
    licences: createLicences({
      store: licencesStore,
      registrationTerms,
      derivedLicences: plans.derivedLicences,
      bus,
      now,
    }),
    licencesStore,
    offers: createLicenceOffers({ store: createLicenceOffersStore(db), now }),
    emailService: queue,
    notifyMfaReset: (user) => notices.send(noticeAddress(user), 'two-factor-removed'),
    rotateKeys: () => rotateSigningKeys(secretsFolder),
    async issueServiceKey(seconds) {
      if (config.AUTH_MODE === 'hosted')
        throw new UsageError('The hosted auth provider issues its own service keys', 'HOSTED_PROVIDER')
      const keys = await openSigningKeys(secretsFolder)
      const issuer = new URL(authPrefix, publicUrl).href
      return createAccessTokens({ keys, issuer, now, allowAnyServiceKeyIssuer: false }).issueServiceKey(seconds)
    },
    setUpBilling: createBillingSetup({ config, secretsFolder, publicUrl }),
    publicUrl,
    clock,
    now,
  })
  try {
    for await (const text of commands.run(args)) await print(text)
  } finally {
    await queue.close()
  }
}
