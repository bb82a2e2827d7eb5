import type { ErrorCode } from '@sallyport/contract/error-codes'

interface Refusal {
  readonly status: number
  /** What the answer called its status; empty over connections that carry no such words. */
  readonly statusText?: string | undefined
  /** Null when the answer did not come from a server that knows the contract. */
  readonly code: ErrorCode | null
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number | undefined
}

/** The server answered, but not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly statusText: string
  readonly code: ErrorCode | null
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterMs: number | undefined

  constructor({ status, statusText = '', code, message, details, retryAfterMs }: Refusal) {
    super(message)
    this.status = status
    this.statusText = statusText
    this.code = code
    this.details = details
    this.retryAfterMs = retryAfterMs
  }
}

/** The server could not be reached, or the connection broke before it had answered. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(message = 'The server cannot be reached', options?: ErrorOptions) {
    super(message, options)
  }
}

export const invalidResponse = 'Invalid response from server'
