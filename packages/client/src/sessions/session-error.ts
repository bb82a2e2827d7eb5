/**
 * `KEY_MODE_MISMATCH`: the server answers another key mode than the one that this client asked for or holds a secret
 * for. `SESSION_MISMATCH`: it answers another session than the stored one.
 */
export type SessionErrorCode = 'KEY_MODE_MISMATCH' | 'SESSION_MISMATCH'

/** An answer about a session that this client refuses. Nothing is derived from it and nothing is sealed. */
export class SessionError extends Error {
  override readonly name = 'SessionError'
  readonly code: SessionErrorCode

  constructor(code: SessionErrorCode) {
    super(code)
    this.code = code
  }
}
