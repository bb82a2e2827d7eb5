import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'

interface Particulars {
  /** Replaces the catalogue's sentence where it has to be more exact. */
  readonly text?: string
  readonly retryAfterSeconds?: number
  /** Where the protocol sends a code with another status than usual. */
  readonly status?: number
}

/** A refusal by the authentication provider, named in the provider's protocol whichever provider it is. */
export class AuthRefusal extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: AuthErrorCode, { text, retryAfterSeconds, status }: Particulars = {}) {
    super(text ?? authErrorCatalogue[code].text)
    this.name = 'AuthRefusal'
    this.code = code
    this.status = status ?? authErrorCatalogue[code].status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The provider's refusal named by its code. */
export const refuseAuth = (code: AuthErrorCode, particulars?: Particulars): AuthRefusal =>
  new AuthRefusal(code, particulars)
