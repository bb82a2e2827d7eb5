import '../../../../tools/require-own-node.ts'
import { join, resolve } from 'node:path'
import { createSignInsStore } from '../auth/sign-ins/sign-ins.store.ts'
import { rotateSigningKeys } from '../auth/tokens/signing-keys.ts'
import { createUsersStore } from '../auth/users/users.store.ts'
import { createLocalBus } from '../bus/bus.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { createLogger } from '../http/logger.ts'
import { furnishAccount } from '../licences/furnish.store.ts'
import { createLicenceOffersStore } from '../licences/licence-offers.store.ts'
import { createLicenceOffers } from '../licences/licence-offers.ts'
import { createLicencesStore } from '../licences/licences.store.ts'
import { createLicences } from '../licences/licences.ts'
import { openPost } from '../post/open-post.ts'
import { createPostQueueStore } from '../post/post-queue.store.ts'
import { createAdminsStore } from './admins.store.ts'
import { createCommands } from './commands.ts'
import { UsageError } from './options.ts'
import { usage } from './usage.ts'

/** Runs one command on the settings and the database of the server, which may be running. */
async function main(args: readonly string[]): Promise<string> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help')) return usage
  const config = readConfig(process.env)
  const folder = resolve(config.DATA_DIR)
  const publicUrl = new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  const { db, now, close } = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    folder,
    onError: () => undefined,
  })
  const { office } = openPost({
    store: createPostQueueStore(db),
    secretsFolder: join(folder, 'secrets'),
    dataFolder: folder,
    publicUrl,
    smtpUrl: config.SMTP_URL,
    smsUrl: config.SMS_URL,
    mailFrom: config.MAIL_FROM,
    now,
    log: createLogger('silent'),
  })
  const licencesStore = createLicencesStore(db)
  const commands = createCommands({
    users: createUsersStore(db, furnishAccount),
    signIns: createSignInsStore(db),
    admins: createAdminsStore(db),
    licences: createLicences({ store: licencesStore, bus: createLocalBus(), now }),
    licencesStore,
    offers: createLicenceOffers({ store: createLicenceOffersStore(db), now }),
    post: office,
    rotateKeys: () => rotateSigningKeys(join(folder, 'secrets')),
    publicUrl,
    now,
  })
  try {
    return await commands.run(args)
  } finally {
    await office.close()
    await close()
  }
}

main(process.argv.slice(2)).then(
  (text) => process.stdout.write(`${text.trimEnd()}\n`),
  (error: unknown) => {
    const words = error instanceof Error ? error.message : String(error)
    process.stderr.write(error instanceof UsageError ? `${words}\n\n${usage}` : `${words}\n`)
    process.exitCode = 1
  },
)
