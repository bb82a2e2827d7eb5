import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { open } from './gcm.ts'
import { seal } from './gcm-seal.ts'
import { deriveAesKey, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { keyBytes, requireSecret } from './secret.ts'

export interface UnlockedKeys {
  readonly masterKey: Uint8Array
  readonly accountKey: Uint8Array
}

interface DeviceUnlockContext {
  /** Never leaves this browser and is not extractable. */
  readonly deviceKey: CryptoKey
  /**
   * Stored on the server, which returns it only for an unlock; once the server deletes it, the blob cannot be opened.
   */
  readonly share: Uint8Array
  readonly deviceId: string
}

const noAad = new Uint8Array(0)

/** A non-extractable key for the browser's key store. */
export const createDeviceKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

/** Seals the keys of a signed-in tab twice: with a key from the server's share, and around that with the device key. */
export async function sealDeviceUnlock(input: DeviceUnlockContext & UnlockedKeys): Promise<Bytes> {
  const plain = concatBytes(requireSecret(input.masterKey), requireSecret(input.accountKey))
  const inner = await seal({ key: await deriveInnerKey(input), plain, aad: noAad })
  return seal({ key: input.deviceKey, plain: inner, aad: noAad })
}

/** Throws `wrong-key` if the share, the device or the browser differs. */
export async function openDeviceUnlock({
  blob,
  ...context
}: DeviceUnlockContext & { blob: Uint8Array }): Promise<UnlockedKeys> {
  const inner = await open({ key: context.deviceKey, sealed: blob, aad: noAad })
  const plain = inner && (await open({ key: await deriveInnerKey(context), sealed: inner, aad: noAad }))
  if (plain?.length !== 2 * keyBytes) throw new CryptoError('wrong-key', 'This device can no longer be unlocked')
  return { masterKey: plain.slice(0, keyBytes), accountKey: plain.slice(keyBytes) }
}

async function deriveInnerKey({ share, deviceId }: DeviceUnlockContext): Promise<CryptoKey> {
  if (!deviceId) throw malformed('The id of the device is missing')
  return deriveAesKey({ from: await importRootKey(share), salt: utf8(deviceId), info: utf8(labels.deviceUnlock) })
}
