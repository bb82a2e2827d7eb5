import { fromBase64url, toBase64url } from '@sallyport/crypto/portal'
import type { KeyWrap } from '../portal/transfer/exchange-context.ts'

/** A `KeyWrap` that does not encrypt, for tests that do not concern keys. */
export const noopKeyWrap: KeyWrap = {
  wrap: async (key) => toBase64url(key),
  unwrap: async (wrapped) => fromBase64url(wrapped),
}
