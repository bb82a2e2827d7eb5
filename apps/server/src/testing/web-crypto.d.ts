import type { webcrypto } from 'node:crypto'

// Tests use the crypto package, whose sources refer to these global browser types.
declare global {
  type AesGcmParams = webcrypto.AesGcmParams
  type HkdfParams = webcrypto.HkdfParams
}
