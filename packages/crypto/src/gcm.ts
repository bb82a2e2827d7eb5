import { type Bytes, unshared } from './bytes.ts'
import { randomBytes } from './random.ts'
import { ivBytes, sealingOverheadBytes, tagBytes } from './sizes.ts'

interface SealInto {
  readonly key: CryptoKey
  readonly plain: Uint8Array
  readonly associated: Uint8Array
  /** Receives IV ‖ ciphertext ‖ tag and has exactly that size. */
  readonly target: Uint8Array
}

interface Open {
  readonly key: CryptoKey
  readonly sealed: Uint8Array
  readonly associated: Uint8Array
}

/** AES-256-GCM under a fresh random IV. */
export async function sealInto({ key, plain, associated, target }: SealInto): Promise<void> {
  const iv = randomBytes(ivBytes)
  const ciphertext = await crypto.subtle.encrypt(gcm(iv, associated), key, unshared(plain))
  target.set(iv)
  target.set(new Uint8Array(ciphertext), ivBytes)
}

export async function seal({ key, plain, associated }: Omit<SealInto, 'target'>): Promise<Bytes> {
  const target = new Uint8Array(plain.length + sealingOverheadBytes)
  await sealInto({ key, plain, associated, target })
  return target
}

/** Null when the tag does not verify. */
export async function open({ key, sealed, associated }: Open): Promise<Bytes | null> {
  if (sealed.length < sealingOverheadBytes) return null
  const bytes = unshared(sealed)
  try {
    const parameters = gcm(bytes.subarray(0, ivBytes), associated)
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes.subarray(ivBytes)))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'OperationError') return null
    throw error
  }
}

const gcm = (iv: Bytes, associated: Uint8Array): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: unshared(associated),
  tagLength: tagBytes * 8,
})
