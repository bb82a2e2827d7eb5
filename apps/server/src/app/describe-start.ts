import type { ServerContext } from '../context.ts'
import { registrationTermsOf } from '../modules/accounts/licences/licence.rules.ts'
import { billingModeOf } from '../modules/billing/billing-mode.ts'
import { volumeFolders } from './volume-folders.ts'

/** The settings that an operator checks first when something does not work, without secrets. For one line in the log. */
export async function describeStart(context: ServerContext): Promise<object> {
  const { config, publicUrl, folder, redis, volumes, confirmEmails } = context
  const folders = volumeFolders(config, folder)
  return {
    database: config.DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL',
    redis: redis !== null,
    dataFolder: folder,
    volumes: await Promise.all(
      volumes.all.map(async ({ id, freeBytes }, index) => ({
        id,
        folder: folders[index],
        freeBytes: await freeBytes().catch(() => null),
      })),
    ),
    mail: config.SMTP_URL === undefined ? 'outbox folder' : 'SMTP',
    texts: config.SMS_URL === undefined ? 'outbox folder' : 'gateway',
    verifiesAddresses: confirmEmails,
    trustedProxies: config.TRUSTED_PROXIES,
    users: config.AUTH_MODE,
    registration: config.REGISTRATION,
    registrationDomains: config.REGISTRATION_DOMAINS,
    plan: registrationTermsOf(config).type,
    billing: billingModeOf(config, publicUrl),
    logsAddresses: config.LOG_ADDRESSES === 'on',
  }
}
