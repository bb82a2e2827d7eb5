import '../../../tools/require-own-node.ts'
import { join, resolve } from 'node:path'
import { authPrefix } from '@sallyport/contract/auth'
import { readConfig } from './config.ts'
import { createLicenceOffersStore } from './modules/accounts/licences/licence-offers.store.ts'
import { createLicenceOffers } from './modules/accounts/licences/licence-offers.ts'
import { createLicencesStore } from './modules/accounts/licences/licences.store.ts'
import { createLicences } from './modules/accounts/licences/licences.ts'
import { provisionAccount } from './modules/accounts/licences/provision-account.store.ts'
import { createAdminsStore } from './modules/admin/admins.store.ts'
import { createCommands } from './modules/admin/commands.ts'
import { UsageError } from './modules/admin/options.ts'
import { usage } from './modules/admin/usage.ts'
import { createAuthSessionsStore } from './modules/auth/sign-ins/auth-sessions.store.ts'
import { createAccessTokens } from './modules/auth/tokens/access-tokens.ts'
import { openSigningKeys, rotateSigningKeys } from './modules/auth/tokens/signing-keys.ts'
import { createUsersStore } from './modules/auth/users/users.store.ts'
import { openDatabase } from './platform/db/open.ts'
import { createMailQueueStore } from './platform/email/mail-queue.store.ts'
import { openEmailService } from './platform/email/open-email-service.ts'
import { createLocalBus } from './platform/events/bus.ts'
import { createLogger } from './platform/http/logger.ts'

/** Runs one command with the settings and the database of the server, which can be running. */
async function main(args: readonly string[]): Promise<string> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help')) return usage
  const config = readConfig(process.env)
  const folder = resolve(config.DATA_DIR)
  const secretsFolder = join(folder, 'secrets')
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  const { db, now, close } = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    folder,
    onError: () => undefined,
  })
  const log = createLogger('silent')
  const { queue } = openEmailService({ config, store: createMailQueueStore(db), folder, publicUrl, now, log })
  const licencesStore = createLicencesStore(db)
  const commands = createCommands({
    users: createUsersStore(db, provisionAccount),
    authSessions: createAuthSessionsStore(db),
    admins: createAdminsStore(db),
    licences: createLicences({ store: licencesStore, bus: createLocalBus(), now }),
    licencesStore,
    offers: createLicenceOffers({ store: createLicenceOffersStore(db), now }),
    emailService: queue,
    rotateKeys: () => rotateSigningKeys(secretsFolder),
    async issueServiceKey(seconds) {
      if (config.AUTH_MODE === 'hosted') throw new UsageError('The hosted auth provider issues its own service keys')
      const keys = await openSigningKeys(secretsFolder)
      const issuer = new URL(authPrefix, publicUrl).href
      return createAccessTokens({ keys, issuer, now, allowAnyServiceKeyIssuer: false }).issueServiceKey(seconds)
    },
    publicUrl,
    now,
  })
  try {
    return await commands.run(args)
  } finally {
    await queue.close()
    await close()
  }
}

main(process.argv.slice(2)).then(
  (text) => process.stdout.write(`${text.trimEnd()}\n`),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}` : `${message}\n`)
    process.exitCode = 1
  },
)
