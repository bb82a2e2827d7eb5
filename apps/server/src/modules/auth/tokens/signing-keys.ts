import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { PublicKey } from '@sallyport/contract/auth'
import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import { readOrCreateSecretFile, replaceSecretFile } from '../../../secrets.ts'

const StoredKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string().optional(),
})

/** The newest key comes first and signs; the keys after it, private or public, only verify. */
const StoredKeys = z.object({ keys: z.array(StoredKey).min(1) })

const fileName = 'tokens.jwks'

export interface SigningKeys {
  readonly algorithm: 'ES256' | 'RS256' | 'HS256'
  /** Null where tokens are signed with a shared secret. */
  readonly kid: string | null
  readonly signingKey: KeyObject
  /** Public keys by key id. */
  readonly verificationKeys: ReadonlyMap<string, KeyObject>
  /** Verifies HS256 tokens of third-party clients; null where there are none. */
  readonly sharedSecret: KeyObject | null
  readonly publicKeys: readonly PublicKey[]
}

/** Reads the keys that sign access tokens from `tokens.jwks` in this folder; the first start creates one. */
export async function openSigningKeys(folder: string): Promise<SigningKeys> {
  const path = join(folder, fileName)
  const keys = readKeys(folder)
  const [newest] = keys
  if (newest?.d === undefined) throw new Error(`${path} does not begin with a private key`)
  const publicKeys = await Promise.all(keys.map(toPublicKey))
  return {
    algorithm: 'ES256',
    sharedSecret: null,
    kid: publicKeys[0]?.kid ?? null,
    signingKey: createPrivateKey({ key: { ...newest, d: newest.d }, format: 'jwk' }),
    verificationKeys: new Map(publicKeys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])),
    publicKeys,
  }
}

/**
 * Creates the key that signs after the next start of the server. The public half of the previous key remains, so that
 * its tokens stay valid until they expire. Returns the new key's id.
 */
export async function rotateSigningKeys(folder: string): Promise<string> {
  const [previous] = readKeys(folder)
  if (!previous) throw new Error(`${fileName} contains no key`)
  const { d: _, ...publicHalf } = previous
  const created = generateKey()
  replaceSecretFile(join(folder, fileName), Buffer.from(JSON.stringify({ keys: [created, publicHalf] })))
  return (await toPublicKey(StoredKey.parse(created))).kid
}

function readKeys(folder: string) {
  const content = readOrCreateSecretFile(join(folder, fileName), () =>
    Buffer.from(JSON.stringify({ keys: [generateKey()] })),
  )
  return StoredKeys.parse(JSON.parse(content.toString('utf8'))).keys
}

const generateKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

async function toPublicKey({ kty, crv, x, y }: z.output<typeof StoredKey>) {
  const kid = await calculateJwkThumbprint({ kty, crv, x, y })
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } as const satisfies PublicKey
}
