import type { ErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'

interface Particulars {
  /** Replaces the catalogue's sentence where it has to name something. */
  readonly text?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** What stands beside the code, for refusals that also give something. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A refusal that is told to the caller. Anything else that is thrown becomes `INTERNAL` and goes to the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly beside: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, particulars: Particulars = {}) {
    super(particulars.text ?? errorCatalogue[code].text, { cause: particulars.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errorCatalogue[code].status
    this.details = particulars.details
    this.beside = particulars.beside ?? {}
    this.retryAfterSeconds = particulars.retryAfterSeconds
    this.headers = particulars.headers ?? {}
  }
}

/** The refusal named by its code. */
export const refuse = (code: ErrorCode, particulars?: Particulars): AppError => new AppError(code, particulars)
