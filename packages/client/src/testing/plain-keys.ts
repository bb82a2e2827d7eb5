import { fromBase64url, toBase64url } from '@sallyport/crypto/portal'
import type { KeyWrap } from '../portal/fast/exchange-parts.ts'

/** Leaves file keys as they are, for tests of what happens to bytes. */
export const plainKeys: KeyWrap = {
  wrap: async (key) => toBase64url(key),
  unwrap: async (wrapped) => fromBase64url(wrapped),
}
