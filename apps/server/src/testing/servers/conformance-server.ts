import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PublicKey } from '@sallyport/contract/auth'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { createAuthStores } from '../../modules/auth/auth.store.ts'
import { createEmbeddedProvider } from '../../modules/auth/embedded-provider.ts'
import { authRoutes } from '../../modules/auth/protocol/auth.routes.ts'
import { openProviderSecret } from '../../modules/auth/provider-secret.ts'
import { type ProviderSettings, productSettings } from '../../modules/auth/provider-settings.ts'
import type { SigningKeys } from '../../modules/auth/tokens/signing-keys.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { createLocalBus } from '../../platform/events/bus.ts'
import { createApp } from '../../platform/http/app.ts'
import { createLogger } from '../../platform/http/logger.ts'
import { createSecurityLog } from '../../platform/monitoring/security-log.ts'
import { createPasswordHashing } from '../../platform/rate-limit/password-hashing.ts'
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'

/**
 * Runs the embedded provider for the test suite of the published client: five instances with different settings, on the
 * addresses that are hard-coded in those tests. `docs/decisions/0009-own-provider.md` describes how to run them.
 */

interface Instance {
  readonly host: string
  readonly port: number
  readonly prefix?: string
  readonly keys: SigningKeys
  readonly settings: Partial<ProviderSettings>
}

const sharedSecrets = {
  main: 'super-secret-jwt-token-with-at-least-32-characters-long',
  plain: '37c304f8-51aa-419a-a1af-06154e63707a',
  asymmetric: 'Z7-AyPyChGNcQsX16cPBV-pPBo4q-zckDxkq1VZjATo',
} as const

const clientTestSettings: ProviderSettings = {
  ...productSettings,
  strict: false,
  allowAnyServiceKeyIssuer: true,
  factorTypes: ['totp', 'phone', 'webauthn'],
  minResponseMs: 0,
  messageIntervalMs: 1000,
}

const unlimitedRateLimiter = createRateLimiter({
  allow: async () => ({ allowed: true, retryAfterSeconds: 0 }),
  refund: async () => undefined,
})

/** Discards emails and rejects text messages. */
const emailService = {
  queueEmail: async () => undefined,
  queueText: async () => {
    throw new Error('No SMS gateway')
  },
}

const { values } = parseArgs({ options: { key: { type: 'string' } } })
const keyFile = values.key ?? process.env['CONFORMANCE_KEY']
if (keyFile === undefined) {
  process.stderr.write(
    'No --key FILE (or CONFORMANCE_KEY): service keys signed with the key of the test suite are rejected\n',
  )
}
const rsaKey = keyFile === undefined ? newRsaKey() : readKey(keyFile)

const instances: readonly Instance[] = [
  {
    host: '127.0.0.1',
    port: 54_321,
    prefix: '/auth/v1',
    keys: await rsaKeys(rsaKey, sharedSecrets.main),
    settings: { anonymous: true },
  },
  {
    host: 'localhost',
    port: 9999,
    keys: secretKeys(sharedSecrets.plain),
    settings: { confirmEmails: true, confirmPhones: true },
  },
  { host: 'localhost', port: 9998, keys: secretKeys(sharedSecrets.plain), settings: { anonymous: true } },
  { host: 'localhost', port: 9997, keys: secretKeys(sharedSecrets.plain), settings: { signUp: false } },
  {
    host: 'localhost',
    port: 9996,
    keys: await rsaKeys(newRsaKey(), sharedSecrets.asymmetric),
    settings: {},
  },
]

const stopFunctions = await Promise.all(instances.map(start))
process.stdout.write(`${instances.map(({ host, port }) => `${host}:${port}`).join(' ')}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => Promise.all(stopFunctions.map((stop) => stop())).then(() => process.exit(0)))
}

async function start({ host, port, prefix = '', keys, settings }: Instance): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-conformance-'))
  const { db, clock, close } = await openDatabase({ databaseUrl: undefined, folder, onError: () => undefined })
  const provider = createEmbeddedProvider({
    stores: createAuthStores(db, async () => undefined),
    keys,
    secret: openProviderSecret(folder),
    issuer: `http://${host}:${port}${prefix}`,
    publicUrl: new URL('http://127.0.0.1:3000'),
    emailService,
    rateLimiter: unlimitedRateLimiter,
    bus: createLocalBus(),
    recordActivity: () => undefined,
    now: clock.now,
    hashing: createPasswordHashing(),
    securityLog: createSecurityLog({
      log: createLogger('silent'),
      hasAddresses: false,
      failedAttempts: { count: () => undefined, networkOf: () => 'other' },
    }),
    onIdentifierChange: async () => undefined,
    beforeRemoval: async () => undefined,
    log: createLogger('silent'),
    settings: { ...clientTestSettings, ...settings },
  })
  const app = await createApp({
    log: createLogger('silent'),
    config: { TRUSTED_PROXIES: [], OPERATOR_TOKEN: undefined },
    findAccount: provider.findAccount,
    requireLicence: async () => undefined,
    publicUrl: new URL(`http://${host}:${port}`),
  })
  allowCrossOrigin(app)
  await authRoutes(app, { protocol: provider.protocol, version: '0.0.0', prefix })
  await app.listen({ host, port })
  return async () => {
    await app.close()
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Allows cross-origin requests, because the tests run some clients in a page of another origin. */
function allowCrossOrigin(app: Awaited<ReturnType<typeof createApp>>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Access-Control-Allow-Origin', request.headers.origin ?? '*')
    reply.header(
      'Access-Control-Allow-Headers',
      'authorization, apikey, content-type, x-client-info, x-supabase-api-version',
    )
    reply.header('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    reply.header('Access-Control-Expose-Headers', 'X-Supabase-Api-Version, Link, X-Total-Count')
  })
  app.route({
    method: 'OPTIONS',
    url: '/*',
    config: { outsideContract: 'page' },
    handler: async (_, reply) => reply.code(204).send(),
  })
}

/** Reads the first key from a file with one JWK, a list or a key set. */
function readKey(path: string): JWK {
  const content = JSON.parse(readFileSync(path, 'utf8')) as JWK | JWK[] | { keys: JWK[] }
  const keys = Array.isArray(content) ? content : 'keys' in content ? content.keys : [content]
  const [key] = keys
  if (!key) throw new Error(`${path} contains no key`)
  return key
}

function newRsaKey(): JWK {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
}

function secretKeys(secret: string): SigningKeys {
  const sharedSecret = createSecretKey(secret, 'utf8')
  return {
    algorithm: 'HS256',
    kid: null,
    signingKey: sharedSecret,
    verificationKeys: new Map(),
    sharedSecret,
    publicKeys: [],
  }
}

async function rsaKeys(jwk: JWK, secret: string): Promise<SigningKeys> {
  const signingKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const { n = '', e = '' } = jwk
  const kid = jwk.kid ?? (await calculateJwkThumbprint({ kty: 'RSA', n, e }))
  const published: PublicKey = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
  return {
    algorithm: 'RS256',
    kid,
    signingKey,
    verificationKeys: new Map([[kid, createPublicKey(signingKey)]]),
    sharedSecret: createSecretKey(secret, 'utf8'),
    publicKeys: [published],
  }
}
