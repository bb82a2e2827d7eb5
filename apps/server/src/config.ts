import { isIP, isIPv4 } from 'node:net'
import { rateLimits, socketLimits } from '@sallyport/contract/server-limits'
import * as z from 'zod'

const flag = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback)
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  if (namedNetworks.has(entry)) return true
  if (isIP(address) === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128))
}

/** Every environment variable, each with its meaning; `docs/configuration.md` is generated from this schema. */
export const Config = z.object({
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe('Port the server listens on; 0 picks a free one'),
  HOST: z.string().default('0.0.0.0').describe('Address the server listens on'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that people open in the browser; defaults to http://localhost and the port'),
  DATA_DIR: z
    .string()
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
    .optional()
    .describe(
      'Redis shared by the nodes of one instance, for example `redis://name:password@host:6379/0`, `rediss://…` or `unix:///run/redis.sock`. Without it, the instance has one node',
    ),
  VOLUMES: list.describe(
    'Folders for encrypted files, separated by commas; defaults to `volumes/main` in the data folder',
  ),
  STRICT: flag('on').describe(
    'Reject passwords, names and keys that are not encrypted or derived by the client. Turn off only for third-party clients',
  ),
  TRUSTED_PROXIES: list
    .refine(
      (entries) => entries.every(isNetwork),
      'must be addresses or networks such as 10.0.0.0/8, separated by commas',
    )
    .describe('Addresses or networks of reverse proxies whose forwarding headers are trusted'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'SMTP server, for example `smtp://name:password@host:587` or `smtps://…`; `?requireTLS=true` rejects servers without TLS. Without it, emails are written to `outbox` in the data folder',
    ),
  MAIL_FROM: z
    .string()
    .optional()
    .describe('Sender of emails, as `Name <address>`; defaults to sallyport at the host of PUBLIC_URL'),
  SMS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'SMS gateway that accepts `POST {"to": "+491701234567", "text": "…"}` and responds with 2xx; a user name and password in the URL are sent as Basic authorization. Without it, messages are written to `outbox` in the data folder',
    ),
  VERIFY_ADDRESSES: z
    .enum(['on', 'off'])
    .optional()
    .describe('Require users to open a link in an email before they can sign in; defaults to on when SMTP_URL is set'),
  REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .default(rateLimits.registrationsPerAddress.points)
    .describe(
      'Accounts that can be created per hour from one public address, twice as many from an IPv6 /56 and four times as many from a /48; local networks have a higher limit',
    ),
  SOCKETS_PER_ACCOUNT: z.coerce
    .number()
    .int()
    .min(1)
    .default(socketLimits.perAccount)
    .describe('Concurrent WebSockets per account, for open pages and uploads together'),
  AUTH_MODE: z
    .enum(['embedded', 'hosted'])
    .default('embedded')
    .describe('Whether users are stored on this server or by an external provider that implements the GoTrue protocol'),
  AUTH_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of a hosted provider, for example `https://project.example/auth/v1`'),
  AUTH_PUBLISHABLE_KEY: z.string().optional().describe('API key that the browser sends to a hosted provider'),
  AUTH_SERVICE_KEY: z.string().optional().describe('Service key for the admin API of a hosted provider'),
  AUTH_ISSUER: z.string().optional().describe('Issuer of a hosted provider’s access tokens; defaults to AUTH_URL'),
  AUTH_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('JWKS URL of a hosted provider; defaults to `/.well-known/jwks.json` under AUTH_URL'),
  AUTH_JWT_SECRET: z
    .string()
    .optional()
    .describe('Secret that signs the access tokens of a hosted provider without a JWKS URL'),
  AUTH_REVEAL_UNKNOWN_ACCOUNTS: flag('off').describe(
    'Report at sign-in that an account does not exist. When on, anyone can find out who has an account',
  ),
  STUN_URLS: list.describe(
    'STUN servers, separated by commas, for example `stun:stun.example:3478`; they see the addresses of the two devices in a portal. Without it, portals work within one network and through the relay',
  ),
  TURN_URLS: list.describe(
    'TURN servers, separated by commas, that relay a portal when no direct connection is possible',
  ),
  TURN_SECRET: z.string().optional().describe('Secret shared with the servers of TURN_URLS'),
  PORTAL_CLASSIC: flag('on').describe(
    'Let devices that support only the legacy protocol open and join portals. Their connection cannot be verified',
  ),
  RELAY: flag('on').describe('Relay encrypted data between two devices of a portal that cannot connect directly'),
  RELAY_GB_PER_ROOM: z.coerce.number().min(0).default(50).describe('Gigabytes the relay carries for one portal'),
  RELAY_GB_PER_DAY: z.coerce.number().min(0).default(500).describe('Gigabytes the relay carries in 24 hours'),
  ADMIN_EMAILS: list.describe(
    'Email addresses, separated by commas; the first of them to sign in becomes the first admin. While addresses are not verified, only the very first account can',
  ),
  NODE_ENV: z
    .string()
    .optional()
    .describe('`production` removes the outbox viewer at /dev/outbox, which is available only on this machine'),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], { error: 'must be an email address or start with https://' })
    .optional()
    .describe(
      'How people reach the operator: an email address or a page such as `https://…`. Shown to everyone who asks for a plan',
    ),
  OPERATOR_TOKEN: z.string().min(16).optional().describe('Bearer token that gives other machines access to /metrics'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Minimum level of log messages'),
})

export type Config = z.output<typeof Config>

/** Reads the environment. Throws one readable list of all invalid settings. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Config.safeParse(set)
  if (!parsed.success) throw new Error(`Invalid configuration\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}
