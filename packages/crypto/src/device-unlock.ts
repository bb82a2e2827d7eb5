import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open, seal } from './gcm.ts'
import { deriveAesKey, importRoot } from './hkdf.ts'
import { labels } from './labels.ts'
import { keyBytes, requireSecret } from './secret.ts'

export interface UnlockedKeys {
  readonly masterKey: Uint8Array
  readonly accountKey: Uint8Array
}

interface RememberedDevice {
  /** Never leaves this browser, not even as bytes. */
  readonly deviceKey: CryptoKey
  /** Never leaves the server for longer than it takes to unlock; once the server drops it, the blob is dead. */
  readonly share: Uint8Array
  readonly deviceId: string
}

const nothing = new Uint8Array(0)

/** A non-extractable key for the key store of this browser. */
export const createDeviceKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

/** Seals the keys of a signed-in tab twice: for the server's share, and around that for this browser. */
export async function sealDeviceUnlock(sealing: RememberedDevice & UnlockedKeys): Promise<Bytes> {
  const plain = concatBytes(requireSecret(sealing.masterKey), requireSecret(sealing.accountKey))
  const inner = await seal({ key: await shareKey(sealing), plain, associated: nothing })
  return seal({ key: sealing.deviceKey, plain: inner, associated: nothing })
}

/** Fails with `wrong-key` when the share, the device or the browser is another. */
export async function openDeviceUnlock({
  blob,
  ...by
}: RememberedDevice & { blob: Uint8Array }): Promise<UnlockedKeys> {
  const inner = await open({ key: by.deviceKey, sealed: blob, associated: nothing })
  const plain = inner && (await open({ key: await shareKey(by), sealed: inner, associated: nothing }))
  if (plain?.length !== 2 * keyBytes) throw new CryptoError('wrong-key', 'This device cannot be unlocked any more')
  return { masterKey: plain.slice(0, keyBytes), accountKey: plain.slice(keyBytes) }
}

async function shareKey({ share, deviceId }: RememberedDevice): Promise<CryptoKey> {
  if (!deviceId) throw malformed('The id of the device is missing')
  return deriveAesKey({ from: await importRoot(share), salt: utf8(deviceId), info: utf8(labels.deviceUnlock) })
}
