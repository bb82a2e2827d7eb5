import type { Bytes } from '../bytes.ts'
import { CryptoError } from '../errors.ts'
import { open, seal } from '../gcm.ts'
import { requireSecret } from '../secret.ts'
import type { CpaceKeys } from './cpace.ts'

const label = 'grant'
const nothing = new Uint8Array(0)

/** A secret for the one other side that knew the same digits. */
export const sealGrant = async (keys: CpaceKeys, secret: Uint8Array): Promise<Bytes> =>
  seal({ key: await grantKey(keys), plain: requireSecret(secret, secret.length), associated: nothing })

/** Refuses with `damaged` what the other side of this very exchange did not seal. */
export async function openGrant(keys: CpaceKeys, sealed: Uint8Array): Promise<Bytes> {
  const secret = await open({ key: await grantKey(keys), sealed, associated: nothing })
  if (!secret) throw new CryptoError('damaged', 'The grant cannot be verified')
  return secret
}

const grantKey = async (keys: CpaceKeys): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', await keys.derive(label), 'AES-GCM', false, ['encrypt', 'decrypt'])
