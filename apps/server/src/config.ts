import { LicenceType } from '@sallyport/contract/accounts'
import { expirationLimits } from '@sallyport/contract/limits'
import { rateLimits, socketLimits } from '@sallyport/contract/server-limits'
import * as z from 'zod'
import {
  amount,
  areDistinctFolders,
  isAgeRecipient,
  isDomain,
  isEmailAddress,
  isIceUrl,
  isNetwork,
  isOrigin,
  isSender,
  list,
  text,
  webUrl,
  wholeNumber,
} from './config-values.ts'
import { isLoopbackHostname } from './platform/http/local-requests.ts'
import { readSecretFiles } from './secret-files.ts'

const flag = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback)

const offeredMinutes: readonly number[] = expirationLimits.offeredMinutes

const iceUrls = list.refine(
  (entries) => entries.every(isIceUrl),
  'must be URLs that start with stun:, stuns:, turn: or turns:, separated by commas',
)

/** Every environment variable, each with its meaning; `docs/configuration.md` is generated from this schema. */
export const Config = z.object({
  PORT: wholeNumber(0, 65_535).default(8080).describe('Port the server listens on; 0 picks a free one'),
  HOST: z
    .string()
    .regex(/^\S+$/, 'must be an address or a host name')
    .default('0.0.0.0')
    .describe('Address the server listens on'),
  PUBLIC_URL: webUrl()
    .refine(isOrigin, 'must have no path, query, user or password')
    .optional()
    .describe('URL that people open in the browser; defaults to http://localhost and the port'),
  DATA_DIR: text()
    .default('./data')
    .describe('Folder for the database, the secrets and, by default, the encrypted files'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL to use instead of the embedded database'),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\/./, 'must start with redis://, rediss:// or unix://')
    .refine((url) => URL.canParse(url), 'must be a URL')
    .optional()
    .describe(
      'Redis shared by the nodes of one instance, for example `redis://name:password@host:6379/0`, `rediss://…` or `unix:///run/redis.sock`. Without it, the instance has one node',
    ),
  VOLUMES: list
    .refine(areDistinctFolders, 'must be different folders')
    .describe('Folders for encrypted files, separated by commas; defaults to `volumes/main` in the data folder'),
  STRICT: flag('on').describe(
    'Reject passwords, names and keys that are not encrypted or derived by the client. Turn off only for third-party clients',
  ),
  TRUSTED_PROXIES: list
    .refine(
      (entries) => entries.every(isNetwork),
      'must be addresses or networks such as 10.0.0.0/8, separated by commas; /0 is every address',
    )
    .describe('Addresses or networks of reverse proxies whose forwarding headers are trusted'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must start with smtp:// or smtps:// and a host' })
    .optional()
    .describe(
      'SMTP server, for example `smtp://name:password@host:587` or `smtps://…`; `?requireTLS=true` rejects servers without TLS. Without it, emails are written to `outbox` in the data folder',
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an email address or `Name <address>`')
    .optional()
    .describe('Sender of emails, as `Name <address>`; defaults to sallyport at the host of PUBLIC_URL'),
  SMS_URL: webUrl()
    .optional()
    .describe(
      'SMS gateway that accepts `POST {"to": "+491701234567", "text": "…"}` and responds with 2xx; a user name and password in the URL are sent as Basic authorization. Without it, messages are written to `outbox` in the data folder',
    ),
  VERIFY_ADDRESSES: z
    .enum(['on', 'off'])
    .optional()
    .describe('Require users to open a link in an email before they can sign in; defaults to on when SMTP_URL is set'),
  REGISTRATION: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe(
      'Who can create an account: `open` everyone, `invite` people with an invitation or a licence key, `closed` nobody. While there are no accounts, the addresses of ADMIN_EMAILS always can',
    ),
  REGISTRATION_DOMAINS: list
    .transform((entries) => entries.map((entry) => entry.toLowerCase()))
    .refine((entries) => entries.every(isDomain), 'must be domains such as example.org, separated by commas')
    .describe(
      'Domains, separated by commas, that the email addresses of new accounts and changed addresses must have; without it, all are accepted. Subdomains are listed separately',
    ),
  REGISTRATIONS_PER_HOUR: wholeNumber(0)
    .default(rateLimits.registrationsPerAddress.points)
    .describe(
      'Accounts that can be created per hour from one public IP address, twice as many from an IPv6 /56 and four times as many from a /48. It does not apply to addresses of local networks, which can create 60 in five minutes',
    ),
  BILLING: z
    .enum(['none', 'contact', 'test', 'stripe'])
    .optional()
    .describe(
      'How people get a paid plan. `stripe`: they pay at Stripe, which requires STRIPE_SECRET_KEY. `contact`: they ask the operator, who grants it with `npm run admin`. `test`: they buy it on a test page, without a card, and no money moves. `none`: there are no plans and no prices, and accounts never end. Defaults to `test` where PUBLIC_URL is not set or on this machine, to `none` with a DEFAULT_PLAN other than `trial`, and otherwise to `contact`',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must start with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional()
    .describe(
      'Secret key of the Stripe account, or better a restricted one. `npm run admin -- billing setup` creates the prices that it needs',
    ),
  STRIPE_WEBHOOK_SECRET: list
    .refine((secrets) => secrets.every((secret) => /^whsec_\S+$/.test(secret)), 'must start with whsec_')
    .describe(
      'Signing secrets of the webhook endpoint, separated by commas; an event may be signed with any of them. Without it, plans change as well, but up to a day later',
    ),
  STRIPE_URL: webUrl()
    .refine((url) => isLoopbackHostname(new URL(url).hostname), 'must be on this machine')
    .optional()
    .describe('For tests: another server than Stripe’s, which must be on this machine'),
  DEFAULT_PLAN: z
    .enum(LicenceType.options)
    .optional()
    .describe(
      'Plan of accounts that register without an invitation or a licence key. `trial` ends after seven days and offers the plans with their prices; every other plan never ends, also applies to accounts that have the trial, and no prices are shown. Defaults to `trial`, or to `personal` with BILLING=none',
    ),
  DEFAULT_STORAGE_GB: amount(0.001, 1_000_000)
    .optional()
    .describe('Gigabytes of storage in DEFAULT_PLAN; defaults to 1 for `trial` and 50 for the others'),
  DEFAULT_EXPIRATION_MINUTES: wholeNumber(1)
    .refine((minutes) => offeredMinutes.includes(minutes), `must be one of ${offeredMinutes.join(', ')}`)
    .default(expirationLimits.defaultMinutes)
    .describe(
      `Lifetime of files and messages of accounts that have not chosen one in their settings, one of ${offeredMinutes.join(', ')}`,
    ),
  SOCKETS_PER_ACCOUNT: wholeNumber(1)
    .default(socketLimits.perAccount)
    .describe('Concurrent WebSockets per account, for open pages and uploads together'),
  AUTH_MODE: z
    .enum(['embedded', 'hosted'])
    .default('embedded')
    .describe(
      '`embedded` stores users on this server; `hosted` uses an external provider that implements the GoTrue protocol, and requires AUTH_URL, AUTH_PUBLISHABLE_KEY and AUTH_SERVICE_KEY',
    ),
  AUTH_URL: webUrl().optional().describe('URL of a hosted provider, for example `https://project.example/auth/v1`'),
  AUTH_PUBLISHABLE_KEY: text().optional().describe('API key that the browser sends to a hosted provider'),
  AUTH_SERVICE_KEY: text().optional().describe('Service key for the admin API of a hosted provider'),
  AUTH_ISSUER: text().optional().describe('Issuer of a hosted provider’s access tokens; defaults to AUTH_URL'),
  AUTH_JWKS_URL: webUrl()
    .optional()
    .describe('JWKS URL of a hosted provider; defaults to `/.well-known/jwks.json` under AUTH_URL'),
  AUTH_JWT_SECRET: text()
    .optional()
    .describe('Secret that signs the access tokens of a hosted provider without a JWKS URL'),
  AUTH_REVEAL_UNKNOWN_ACCOUNTS: flag('off').describe(
    'Report at sign-in that an account does not exist. When on, anyone can find out who has an account',
  ),
  STUN_URLS: iceUrls.describe(
    'STUN servers, separated by commas, for example `stun:stun.example:3478`; they see the addresses of the two devices in a portal. Without it, portals work within one network and through the relay',
  ),
  TURN_URLS: iceUrls.describe(
    'TURN servers, separated by commas, that relay a portal when no direct connection is possible',
  ),
  TURN_SECRET: text().optional().describe('Secret shared with the servers of TURN_URLS'),
  PORTAL_CLASSIC: flag('on').describe(
    'Let devices that support only the legacy protocol open and join portals. Their connection cannot be verified',
  ),
  RELAY: flag('on').describe('Relay encrypted data between two devices of a portal that cannot connect directly'),
  RELAY_GB_PER_ROOM: amount().default(50).describe('Gigabytes the relay carries for one portal'),
  RELAY_GB_PER_DAY: amount().default(500).describe('Gigabytes the relay carries in 24 hours'),
  ADMIN_EMAILS: list
    .refine((entries) => entries.every(isEmailAddress), 'must be email addresses, separated by commas')
    .describe(
      'Email addresses, separated by commas. While there are no accounts, they can register whatever REGISTRATION is. The first of them to sign in becomes the first admin; where addresses are not verified, only if theirs is the only account. Admins see the sizes and times of all accounts, and decide about licences and who can sign in',
    ),
  NODE_ENV: z
    .string()
    .optional()
    .describe('`production` removes the outbox viewer at /dev/outbox, which is available only on this machine'),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], { error: 'must be an email address or start with https://' })
    .optional()
    .describe(
      'How people reach the operator: an email address or a page such as `https://…`. Public: shown where people ask for a plan or cannot register, and served in `/.well-known/security.txt` and `/api/config`',
    ),
  SOURCE_URL: z
    .url({ protocol: /^https?$/, error: 'must start with https:// or http://' })
    .optional()
    .describe(
      'Page with the source code of this server, linked in the settings and under “What the server sees” on the first page. If you have changed the code, the licence asks you to offer it to everyone who uses the server',
    ),
  OPERATOR_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token that gives other machines access to /metrics; this machine itself needs none'),
  BACKUP_DIR: text()
    .optional()
    .describe(
      'Folder of the backups that admins make on the page; BACKUP_TO must be set as well. Name the folder that timers also back up to: the page and /metrics show the age of the last backup in it',
    ),
  BACKUP_TO: list
    .refine(
      (entries) => entries.every(isAgeRecipient) || (entries.length === 1 && entries[0] === 'plain'),
      'must be public keys of age, which start with age1, separated by commas, or the word plain',
    )
    .describe(
      'Public keys of [age](https://age-encryption.org), separated by commas, for which these backups are encrypted, or `plain`',
    ),
  BACKUP_DAYS: wholeNumber(1, 7)
    .default(7)
    .describe(
      'Days for which `npm run admin -- backup` keeps what it has made, 7 at most, because a backup holds what people were promised to be gone',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Minimum level of log messages'),
  LOG_ADDRESSES: flag('off').describe(
    'Add the IP addresses of visitors to security events in the log, such as failed sign-ins, with the pseudonym that the Security tab shows, so that a firewall can block them. Otherwise the log has no addresses',
  ),
})

export type Config = z.output<typeof Config>

/** Settings that need each other. */
const CheckedConfig = Config.superRefine((config, context) => {
  const reject = (name: keyof Config, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message })
  const {
    TURN_URLS,
    TURN_SECRET,
    AUTH_MODE,
    AUTH_URL,
    BILLING,
    STRIPE_SECRET_KEY,
    DEFAULT_PLAN,
    BACKUP_DIR,
    BACKUP_TO,
  } = config
  if (TURN_URLS.length > 0 && TURN_SECRET === undefined) reject('TURN_SECRET', 'must be set, because TURN_URLS is')
  if (TURN_URLS.length === 0 && TURN_SECRET !== undefined) reject('TURN_URLS', 'must be set, because TURN_SECRET is')
  if (BACKUP_DIR !== undefined && BACKUP_TO.length === 0) reject('BACKUP_TO', 'must be set, because BACKUP_DIR is')
  if (BACKUP_DIR === undefined && BACKUP_TO.length > 0) reject('BACKUP_DIR', 'must be set, because BACKUP_TO is')
  if (AUTH_URL !== undefined && AUTH_MODE !== 'hosted') reject('AUTH_URL', 'has no effect without AUTH_MODE=hosted')
  if (BILLING === 'stripe' && STRIPE_SECRET_KEY === undefined)
    reject('STRIPE_SECRET_KEY', 'must be set, because BILLING is stripe')
  if (BILLING !== 'stripe' && STRIPE_SECRET_KEY !== undefined)
    reject('STRIPE_SECRET_KEY', 'has no effect without BILLING=stripe')
  if (BILLING === 'none' && DEFAULT_PLAN === 'trial')
    reject('DEFAULT_PLAN', 'must not be `trial`, because BILLING=none offers no plan after it')
  if (BILLING !== undefined && BILLING !== 'none' && DEFAULT_PLAN !== undefined && DEFAULT_PLAN !== 'trial')
    reject('BILLING', 'has no effect, because accounts with this DEFAULT_PLAN never need another one')
})

/** Reads the environment and the secret files that it names. Throws one readable list of all invalid settings. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { environment: complete, errors } = readSecretFiles(environment)
  const set = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = CheckedConfig.safeParse(set)
  const messages = [...errors.map((error) => `✖ ${error}`), ...(parsed.success ? [] : [z.prettifyError(parsed.error)])]
  if (!parsed.success || messages.length > 0) throw new Error(['Invalid configuration', ...messages].join('\n'))
  return parsed.data
}
