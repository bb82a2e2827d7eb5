import type { Bytes } from '../bytes.ts'
import { CryptoError } from '../errors.ts'
import { open } from '../gcm.ts'
import { seal } from '../gcm-seal.ts'
import { requireSecret } from '../secret.ts'
import type { CpaceKeys } from './cpace.ts'

const label = 'grant'
const noAad = new Uint8Array(0)

/** Seals a secret for the other side of an exchange, which knew the same code. */
export const sealGrant = async (keys: CpaceKeys, secret: Uint8Array): Promise<Bytes> =>
  seal({ key: await grantKey(keys), plain: requireSecret(secret, secret.length), aad: noAad })

/** Throws `damaged` for a grant that the other side of this very exchange did not seal. */
export async function openGrant(keys: CpaceKeys, sealed: Uint8Array): Promise<Bytes> {
  const secret = await open({ key: await grantKey(keys), sealed, aad: noAad })
  if (!secret) throw new CryptoError('damaged', 'The grant cannot be verified')
  return secret
}

const grantKey = async (keys: CpaceKeys): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', await keys.derive(label), 'AES-GCM', false, ['encrypt', 'decrypt'])
