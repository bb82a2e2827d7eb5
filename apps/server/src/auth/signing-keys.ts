import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { PublicKey } from '@sallyport/contract/auth'
import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import { keepSecretFile } from '../secrets.ts'

const StoredKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string().optional(),
})

/** The newest key comes first and signs; those after it, private or public, are only good for checking. */
const StoredKeys = z.object({ keys: z.array(StoredKey).min(1) })

export interface SigningKeys {
  readonly algorithm: 'ES256' | 'RS256' | 'HS256'
  /** Null where a shared secret signs. */
  readonly kid: string | null
  readonly signing: KeyObject
  /** Public keys by their ids. */
  readonly checking: ReadonlyMap<string, KeyObject>
  /** What tokens by a shared secret are checked with, for foreign clients; null where there are none. */
  readonly shared: KeyObject | null
  readonly published: readonly PublicKey[]
}

/** Reads the keys that sign access tokens (`tokens.jwks` in this folder); the first start makes one. */
export async function openSigningKeys(folder: string): Promise<SigningKeys> {
  const path = join(folder, 'tokens.jwks')
  const content = keepSecretFile(path, makeKeys).toString('utf8')
  const { keys } = StoredKeys.parse(JSON.parse(content))
  const [newest] = keys
  if (newest?.d === undefined) throw new Error(`${path} holds no private key in the first place`)
  const published = await Promise.all(keys.map(publish))
  return {
    algorithm: 'ES256',
    shared: null,
    kid: published[0]?.kid ?? null,
    signing: createPrivateKey({ key: { ...newest, d: newest.d }, format: 'jwk' }),
    checking: new Map(published.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])),
    published,
  }
}

function makeKeys(): Buffer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Buffer.from(JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }))
}

async function publish({ kty, crv, x, y }: z.output<typeof StoredKey>): Promise<PublicKey> {
  return { kty, crv, x, y, kid: await calculateJwkThumbprint({ kty, crv, x, y }), alg: 'ES256', use: 'sig' }
}
