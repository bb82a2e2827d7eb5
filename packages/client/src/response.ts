import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { isErrorCode } from '@sallyport/contract/error-codes'
import * as z from 'zod/mini'
import { ApiError } from './errors.ts'

/** An HTTP response whose body has been read. */
export interface BufferedResponse {
  readonly status: number
  readonly statusText?: string
  readonly body: string
  /** The value of the `Retry-After` header. */
  readonly retryAfter: string | null
  /** The value of the `Date` header. */
  readonly date?: string | null
}

const ErrorBody = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
})

/** Parses a response by the contract. Throws an `ApiError` for an error response and for one it cannot parse. */
export function parseResponse<E extends EndpointSpec>(endpoint: E, response: BufferedResponse, now: number): Reply<E> {
  if (response.status < 200 || response.status > 299) throw toApiError(response, now)
  if ('kind' in endpoint.reply) return undefined as Reply<E>
  const parsed = z.safeParse(endpoint.reply, parseJson(response.body))
  if (!parsed.success) throw new ApiError({ status: response.status, code: null })
  return parsed.data as Reply<E>
}

export function toApiError({ status, statusText, body, retryAfter, date }: BufferedResponse, now: number): ApiError {
  const json = parseJson(body)
  const { data } = z.safeParse(ErrorBody, json)
  return new ApiError({
    status,
    statusText,
    code: data && isErrorCode(data.code) ? data.code : null,
    retryAfterMs: parseRetryAfter(retryAfter, Date.parse(date ?? '') || now),
    ...(data && { serverMessage: data.error, details: data.details, body: json }),
  })
}

/** Accepts seconds or a date, as HTTP does. `now` is the time of the sender if it is known. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
