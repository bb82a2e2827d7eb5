export type CryptoErrorCode = 'malformed' | 'wrong-key' | 'damaged' | 'truncated' | 'unsupported-version' | 'too-long'

/**
 * Every error that this package throws on purpose. Messages are for developers and never contain key bytes or plain
 * text.
 */
export class CryptoError extends Error {
  override readonly name = 'CryptoError'
  readonly code: CryptoErrorCode
  /** The record that failed, if it was a single one. */
  readonly recordIndex?: number

  constructor(code: CryptoErrorCode, message: string, recordIndex?: number) {
    super(message)
    this.code = code
    if (recordIndex !== undefined) this.recordIndex = recordIndex
  }
}

export const malformed = (message: string): CryptoError => new CryptoError('malformed', message)

export const unsupported = (message: string): CryptoError => new CryptoError('unsupported-version', message)
