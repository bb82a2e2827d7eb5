import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { PublicKey } from '@sallyport/contract/auth'
import { calculateJwkThumbprint } from 'jose'
import * as z from 'zod'
import { keepSecretFile, replaceSecretFile } from '../../secrets.ts'

const StoredKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string().optional(),
})

/** The newest key comes first and signs; those after it, private or public, are only good for checking. */
const StoredKeys = z.object({ keys: z.array(StoredKey).min(1) })

const fileName = 'tokens.jwks'

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
  const path = join(folder, fileName)
  const keys = readKeys(folder)
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

/**
 * Makes the key that signs from the next start of the server on; of the one before only the public half stays, so that
 * tokens it has signed run out in their own time. Answers the new key's id.
 */
export async function rotateSigningKeys(folder: string): Promise<string> {
  const [previous] = readKeys(folder)
  if (!previous) throw new Error(`${fileName} holds no key`)
  const { d: _, ...publicHalf } = previous
  const made = makeKey()
  replaceSecretFile(join(folder, fileName), Buffer.from(JSON.stringify({ keys: [made, publicHalf] })))
  return (await publish(StoredKey.parse(made))).kid
}

function readKeys(folder: string) {
  const content = keepSecretFile(join(folder, fileName), () => Buffer.from(JSON.stringify({ keys: [makeKey()] })))
  return StoredKeys.parse(JSON.parse(content.toString('utf8'))).keys
}

const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

async function publish({ kty, crv, x, y }: z.output<typeof StoredKey>) {
  const kid = await calculateJwkThumbprint({ kty, crv, x, y })
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } as const satisfies PublicKey
}
