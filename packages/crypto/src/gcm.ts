import { type Bytes, equalBytes, unshared } from './bytes.ts'
import { randomBytes } from './random.ts'
import { ivBytes, sealingOverheadBytes, tagBytes } from './sizes.ts'

export interface SealInto {
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

interface GivesTag {
  readonly key: CryptoKey
  readonly plain: Uint8Array
  readonly associated: Uint8Array
  readonly iv: Uint8Array
  readonly tag: Uint8Array
}

/** AES-256-GCM under a fresh random IV. */
export async function sealInto({ key, plain, associated, target }: SealInto): Promise<void> {
  const iv = randomBytes(ivBytes)
  const ciphertext = await crypto.subtle.encrypt(gcm(iv, associated), key, unshared(plain))
  target.set(iv)
  target.set(new Uint8Array(ciphertext), ivBytes)
}

/**
 * Whether sealing these bytes under this very IV gives this tag. Nothing that was sealed to find out leaves here: two
 * texts under one IV would give away both.
 */
export async function givesTag({ key, plain, associated, iv, tag }: GivesTag): Promise<boolean> {
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(unshared(iv), associated), key, unshared(plain)))
  return equalBytes(sealed.subarray(plain.length), tag)
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
