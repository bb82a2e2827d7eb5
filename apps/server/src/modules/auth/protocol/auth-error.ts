import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'

interface AuthErrorOptions {
  /** Replaces the catalogue's text where it has to be more specific. */
  readonly text?: string
  readonly retryAfterSeconds?: number
  /** Replaces the catalogue's status where the protocol uses another one. */
  readonly status?: number
}

/** An error of the auth provider, embedded or hosted, with a code of the auth protocol. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: AuthErrorCode, { text, retryAfterSeconds, status }: AuthErrorOptions = {}) {
    super(text ?? authErrorCatalogue[code].text)
    this.name = 'AuthError'
    this.code = code
    this.status = status ?? authErrorCatalogue[code].status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Creates an `AuthError` by its code. */
export const authError = (code: AuthErrorCode, options?: AuthErrorOptions): AuthError => new AuthError(code, options)
