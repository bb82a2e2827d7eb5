import { type Bytes, equalBytes, unshared } from './bytes.ts'
import { gcm } from './gcm.ts'
import { randomBytes } from './random.ts'
import { ivBytes, sealingOverheadBytes } from './sizes.ts'

export interface SealIntoInput {
  readonly key: CryptoKey
  readonly plain: Uint8Array
  readonly aad: Uint8Array
  /** Receives IV ‖ ciphertext ‖ tag and has exactly that length. */
  readonly target: Uint8Array
}

interface TagCheckInput {
  readonly key: CryptoKey
  readonly plain: Uint8Array
  readonly aad: Uint8Array
  readonly iv: Uint8Array
  readonly tag: Uint8Array
}

/** AES-256-GCM with a random IV. */
export async function sealInto({ key, plain, aad, target }: SealIntoInput): Promise<void> {
  const iv = randomBytes(ivBytes)
  const ciphertext = await crypto.subtle.encrypt(gcm(iv, aad), key, unshared(plain))
  target.set(iv)
  target.set(new Uint8Array(ciphertext), ivBytes)
}

/**
 * Checks whether sealing these bytes with this IV produces this tag. The ciphertext is discarded: two ciphertexts with
 * the same IV would reveal both plaintexts.
 */
export async function producesTag({ key, plain, aad, iv, tag }: TagCheckInput): Promise<boolean> {
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(unshared(iv), aad), key, unshared(plain)))
  return equalBytes(sealed.subarray(plain.length), tag)
}

export async function seal({ key, plain, aad }: Omit<SealIntoInput, 'target'>): Promise<Bytes> {
  const target = new Uint8Array(plain.length + sealingOverheadBytes)
  await sealInto({ key, plain, aad, target })
  return target
}
