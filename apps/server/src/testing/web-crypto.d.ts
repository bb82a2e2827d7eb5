import type { webcrypto } from 'node:crypto'

// Tests seal files with the browser's package, whose sources name these types as browsers do.
declare global {
  type AesGcmParams = webcrypto.AesGcmParams
  type HkdfParams = webcrypto.HkdfParams
}
