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

/** Everything that can be set from outside, each with what it means; `docs/configuration.md` is printed from it. */
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
    .describe('Address people open in the browser; without it, http://localhost and the port'),
  DATA_DIR: z.string().default('./data').describe('Folder for the database, the secrets and, by default, the bytes'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL to use in place of the embedded database'),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\/./, 'must start with redis://, rediss:// or unix://')
    .optional()
    .describe(
      'Redis that the nodes of one instance share, as `redis://name:password@host:6379/0`, `rediss://…` or `unix:///run/redis.sock`. Without it, there is one node',
    ),
  VOLUMES: list.describe(
    'Folders for sealed bytes, separated by commas; without it, `volumes/main` in the data folder',
  ),
  STRICT: flag('on').describe(
    'Refuse passwords, names and keys that are not in their sealed form. Off is for foreign clients only',
  ),
  TRUSTED_PROXIES: list
    .refine((entries) => entries.every(isNetwork), 'must be addresses or networks, as 10.0.0.0/8, separated by commas')
    .describe('Addresses or networks of reverse proxies whose forwarding headers are believed'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server, as `smtp://name:password@host:587` or `smtps://…`; `?requireTLS=true` refuses one without TLS. Without it, mail lies in `outbox` in the data folder',
    ),
  MAIL_FROM: z
    .string()
    .optional()
    .describe('Who letters come from, as `Name <address>`; without it, sallyport at the host of PUBLIC_URL'),
  SMS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Gateway for text messages, which takes `POST {"to": "+491701234567", "text": "…"}` and answers 2xx; a name and a password in it are sent as Basic authorization. Without it, messages lie in `outbox` in the data folder',
    ),
  VERIFY_ADDRESSES: z
    .enum(['on', 'off'])
    .optional()
    .describe('Nobody signs in before they have opened a link in a mail; without it, on when SMTP_URL is set'),
  REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .default(rateLimits.registrationsPerAddress.points)
    .describe(
      'Accounts that can be made in an hour from one address of the internet, twice as many from an IPv6 /56 and four times from a /48; local networks may more',
    ),
  SOCKETS_PER_ACCOUNT: z.coerce
    .number()
    .int()
    .min(1)
    .default(socketLimits.perAccount)
    .describe('Open pages and uploads of one account that may hold a socket at the same time'),
  AUTH_MODE: z
    .enum(['embedded', 'hosted'])
    .default('embedded')
    .describe('Whether users are kept here or by a provider elsewhere that speaks the GoTrue protocol'),
  AUTH_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where a hosted provider answers, as `https://project.example/auth/v1`'),
  AUTH_PUBLISHABLE_KEY: z.string().optional().describe('Key the page shows to a hosted provider'),
  AUTH_SERVICE_KEY: z.string().optional().describe('Key that opens the admin calls of a hosted provider'),
  AUTH_ISSUER: z
    .string()
    .optional()
    .describe('Who issues the access tokens of a hosted provider; without it, AUTH_URL'),
  AUTH_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where a hosted provider publishes its keys; without it, `/.well-known/jwks.json` under AUTH_URL'),
  AUTH_JWT_SECRET: z
    .string()
    .optional()
    .describe('Secret that signs the access tokens of a hosted provider that publishes no keys'),
  AUTH_REVEAL_UNKNOWN_ACCOUNTS: flag('off').describe(
    'Tell somebody who signs in that there is no such account. On lets anybody find out who is a member',
  ),
  STUN_URLS: list.describe(
    'Servers, separated by commas, that two devices of a portal ask for their addresses, as `stun:stun.example:3478`; they see these addresses. Without it, portals work inside one network and through the relay',
  ),
  TURN_URLS: list.describe('Servers, separated by commas, that carry what a portal sends where there is no direct way'),
  TURN_SECRET: z.string().optional().describe('Secret shared with the servers of TURN_URLS'),
  PORTAL_CLASSIC: flag('on').describe(
    'Let devices that know only the basic protocol open and join portals. Their connection cannot be verified',
  ),
  RELAY: flag('on').describe('Carry sealed bytes between two devices of a portal that find no direct way'),
  RELAY_GB_PER_ROOM: z.coerce.number().min(0).default(50).describe('Gigabytes the relay carries for one portal'),
  RELAY_GB_PER_DAY: z.coerce.number().min(0).default(500).describe('Gigabytes the relay carries in 24 hours'),
  ADMIN_EMAILS: list.describe(
    'Addresses, separated by commas, of which the first to sign in becomes the first admin; while addresses are not verified, only as the first account of all',
  ),
  NODE_ENV: z
    .string()
    .optional()
    .describe('`production` takes away the reader of the outbox at /dev/outbox, which answers only this machine'),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], { error: 'must be an email address or start with https://' })
    .optional()
    .describe(
      'How people reach whoever runs the server: an email address, or a page as `https://…`. Shown to everybody where a plan is asked for',
    ),
  OPERATOR_TOKEN: z.string().min(16).optional().describe('Token that opens /metrics from other machines'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much is written to the log'),
})

export type Config = z.output<typeof Config>

/** Reads the environment once, or stops the start with one readable list of all that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Config.safeParse(set)
  if (!parsed.success) throw new Error(`Invalid configuration\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}
