import type { Stripe } from 'stripe'
import { type ApiError, apiError } from '../../../errors.ts'

type StripeError = Stripe.errors.StripeError

/** What may be logged of an error of Stripe: neither keys nor addresses nor whole responses. */
class StripeRequestError extends Error {
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  readonly requestId: string | undefined

  constructor({ type, code, param, requestId, message }: StripeError) {
    super(redact(message))
    this.name = 'StripeRequestError'
    this.type = type
    this.code = code
    this.param = param
    this.requestId = requestId
  }
}

const redact = (message: string): string =>
  message.replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, '$1_…').replace(/[^\s'"<]+@[^\s'">]+/g, '…@…')

const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')

/** Whether Stripe rejected the parameters or the state of an object. */
export const isInvalidRequest = (error: unknown): boolean =>
  isStripeError(error) && error.type === 'StripeInvalidRequestError'

/** Whether Stripe has no object with an id, which is in this parameter. */
export const isMissing = (error: unknown, param: string): boolean =>
  isStripeError(error) && error.code === 'resource_missing' && error.param === param

/** Whether a payment failed. */
export const isDeclined = (error: unknown): boolean => isStripeError(error) && error.statusCode === 402

/** Whether the outcome of the request is unknown, or the same request may succeed later. */
function isTemporary({ type, statusCode }: StripeError): boolean {
  if (type === 'StripeConnectionError' || type === 'StripeRateLimitError') return true
  // Without a status the answer could not be parsed; 409 means that the same request is still being processed.
  return statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409
}

const retryAfterSeconds = 5

/** The error of a request that was rejected because of the settings or of an object at Stripe. */
export const paymentsRefused = (message: string): ApiError =>
  apiError('PAYMENTS_REFUSED', { cause: new Error(message) })

function toApiError(error: StripeError): ApiError {
  const cause = new StripeRequestError(error)
  return isTemporary(error)
    ? apiError('PAYMENTS_AWAY', { retryAfterSeconds, cause })
    : apiError('PAYMENTS_REFUSED', { cause })
}

const translate = (error: unknown): unknown => (isStripeError(error) ? toApiError(error) : error)

/** Runs requests to Stripe. Throws PAYMENTS_AWAY or PAYMENTS_REFUSED in place of the errors of the SDK. */
export async function withApiErrors<Result>(requests: () => Promise<Result>): Promise<Result> {
  try {
    return await requests()
  } catch (error) {
    throw translate(error)
  }
}

/** The same for a list that is read a page at a time. */
export async function* listWithApiErrors<Entry>(entries: () => AsyncIterable<Entry>): AsyncGenerator<Entry> {
  try {
    yield* entries()
  } catch (error) {
    throw translate(error)
  }
}

/** Converts an error of Stripe into one whose message an operator can act on. */
export function toOperatorError(error: unknown): unknown {
  if (!isStripeError(error)) return error
  const details = [error.code, error.param, error.requestId].filter((detail) => detail !== undefined)
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : ''
  return new Error(`Stripe: ${redact(error.message)}${suffix}`, { cause: new StripeRequestError(error) })
}
