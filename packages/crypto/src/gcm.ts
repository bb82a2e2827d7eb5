import { type Bytes, unshared } from './bytes.ts'
import { ivBytes, sealingOverheadBytes, tagBytes } from './sizes.ts'

interface OpenInput {
  readonly key: CryptoKey
  readonly sealed: Uint8Array
  readonly aad: Uint8Array
}

/** Opens AES-256-GCM. Returns null if the tag does not verify. */
export async function open({ key, sealed, aad }: OpenInput): Promise<Bytes | null> {
  if (sealed.length < sealingOverheadBytes) return null
  const bytes = unshared(sealed)
  try {
    const parameters = gcm(bytes.subarray(0, ivBytes), aad)
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes.subarray(ivBytes)))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'OperationError') return null
    throw error
  }
}

export const gcm = (iv: Bytes, aad: Uint8Array): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: unshared(aad),
  tagLength: tagBytes * 8,
})
