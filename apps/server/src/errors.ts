import type { ErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'
import { formatWait } from './format-wait.ts'

interface ApiErrorOptions {
  /** Replaces the catalogue's message where it has to name something. */
  readonly text?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Fields added to the response body next to `code`. */
  readonly extraFields?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error that is sent to the client. Anything else that is thrown becomes `INTERNAL` and is logged. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly extraFields: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.text ?? textOf(code, options.retryAfterSeconds), { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = errorCatalogue[code].status
    this.details = options.details
    this.extraFields = options.extraFields ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers ?? {}
  }
}

/** The catalogue's message, with how long to wait where that is a minute or more. */
function textOf(code: ErrorCode, retryAfterSeconds = 0): string {
  const reason = limitReasons[code]
  if (reason === undefined || retryAfterSeconds < 60) return errorCatalogue[code].text
  return `${reason}. Try again in ${formatWait(retryAfterSeconds)}.`
}

const limitReasons: Partial<Record<ErrorCode, string>> = {
  RATE_LIMITED: 'Too many requests',
  PIN_LOCKED: 'Too many wrong PINs',
}

/** Creates the API error with this code. */
export const apiError = (code: ErrorCode, options?: ApiErrorOptions): ApiError => new ApiError(code, options)
