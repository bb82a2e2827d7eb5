import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PublicKey } from '@sallyport/contract/auth'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { createAuthStores } from '../auth/auth.store.ts'
import { createEmbeddedProvider } from '../auth/embedded-provider.ts'
import { authRoutes } from '../auth/protocol/auth.routes.ts'
import { openProviderSecret } from '../auth/provider-secret.ts'
import { type ProviderSettings, productSettings } from '../auth/provider-settings.ts'
import type { SigningKeys } from '../auth/tokens/signing-keys.ts'
import { createLocalBus } from '../bus/bus.ts'
import { openDatabase } from '../db/open.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../http/logger.ts'
import type { Attempts } from '../limits/attempts.ts'
import { createPasswordHashing } from '../resources/password-hashing.ts'

/**
 * The embedded provider as the published client's own tests expect one: five of them, set in five ways, on addresses
 * that those tests have written into them. `docs/decisions/0009-own-provider.md` says how the tests are run.
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

const foreign: ProviderSettings = {
  ...productSettings,
  strict: false,
  foreignServiceKeys: true,
  factorTypes: ['totp', 'phone', 'webauthn'],
  evenAnswerMs: 0,
  betweenMessagesMs: 1000,
}

const unlimited: Attempts = {
  allow: async () => ({ allowed: true, retryAfterSeconds: 0 }),
  forgive: async () => undefined,
}

/** Nobody reads these letters, and no number can be reached. */
const post = {
  mail: async () => undefined,
  text: async () => {
    throw new Error('no gateway')
  },
}

const { values } = parseArgs({ options: { key: { type: 'string' } } })
const keyFile = values.key ?? process.env['CONFORMANCE_KEY']
if (keyFile === undefined) {
  process.stderr.write('No --key FILE (or CONFORMANCE_KEY): service keys signed with the tests’ own key are refused\n')
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
    settings: { confirmAddresses: true, confirmNumbers: true },
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

const stops = await Promise.all(instances.map(start))
process.stdout.write(`${instances.map(({ host, port }) => `${host}:${port}`).join(' ')}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => Promise.all(stops.map((stop) => stop())).then(() => process.exit(0)))
}

async function start({ host, port, prefix = '', keys, settings }: Instance): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-conformance-'))
  const { db, now, close } = await openDatabase({ databaseUrl: undefined, folder, onError: () => undefined })
  const provider = createEmbeddedProvider({
    stores: createAuthStores(db, async () => undefined),
    keys,
    secret: openProviderSecret(folder),
    issuer: `http://${host}:${port}${prefix}`,
    publicUrl: new URL('http://127.0.0.1:3000'),
    post,
    attempts: unlimited,
    bus: createLocalBus(),
    now,
    hashing: createPasswordHashing(),
    onRename: async () => undefined,
    log: createLogger('silent'),
    settings: { ...foreign, ...settings },
  })
  const app = await createApp({
    logger: createLogger('silent'),
    findAccount: provider.findAccount,
    demandLicence: async () => undefined,
    trustedProxies: [],
    publicUrl: new URL(`http://${host}:${port}`),
    operatorToken: undefined,
  })
  allowPages(app)
  await authRoutes(app, { protocol: provider.protocol, version: '0.0.0', prefix })
  await app.listen({ host, port })
  return async () => {
    await app.close()
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The tests run some clients in a page of another address. */
function allowPages(app: Awaited<ReturnType<typeof createApp>>): void {
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

/** The first key of a list, of a key set, or the only one. */
function readKey(path: string): JWK {
  const content = JSON.parse(readFileSync(path, 'utf8')) as JWK | JWK[] | { keys: JWK[] }
  const keys = Array.isArray(content) ? content : 'keys' in content ? content.keys : [content]
  const [key] = keys
  if (!key) throw new Error(`${path} holds no key`)
  return key
}

function newRsaKey(): JWK {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
}

function secretKeys(secret: string): SigningKeys {
  const shared = createSecretKey(secret, 'utf8')
  return { algorithm: 'HS256', kid: null, signing: shared, checking: new Map(), shared, published: [] }
}

async function rsaKeys(jwk: JWK, secret: string): Promise<SigningKeys> {
  const signing = createPrivateKey({ key: jwk, format: 'jwk' })
  const { n = '', e = '' } = jwk
  const kid = jwk.kid ?? (await calculateJwkThumbprint({ kty: 'RSA', n, e }))
  const published: PublicKey = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
  return {
    algorithm: 'RS256',
    kid,
    signing,
    checking: new Map([[kid, createPublicKey(signing)]]),
    shared: createSecretKey(secret, 'utf8'),
    published: [published],
  }
}
