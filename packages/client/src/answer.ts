import type { EndpointSpec, Reply } from '@sallyport/contract/endpoint'
import { isErrorCode } from '@sallyport/contract/error-codes'
import * as z from 'zod/mini'
import { ApiError, invalidResponse } from './errors.ts'

/** An answer whose body has been read. */
export interface Answer {
  readonly status: number
  readonly statusText?: string
  readonly body: string
  /** The header of that name, as it came. */
  readonly retryAfter: string | null
}

const RefusalBody = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
})

/** What the server answered, parsed by the contract. Throws an `ApiError` for refusals and for what it cannot read. */
export function readAnswer<E extends EndpointSpec>(endpoint: E, answer: Answer, now: number): Reply<E> {
  if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, now)
  if ('kind' in endpoint.reply) return undefined as Reply<E>
  const parsed = z.safeParse(endpoint.reply, parseJson(answer.body))
  if (!parsed.success) throw new ApiError({ status: answer.status, code: null, message: invalidResponse })
  return parsed.data as Reply<E>
}

export function refusalOf({ status, statusText, body, retryAfter }: Answer, now: number): ApiError {
  const answered = { status, statusText }
  const retryAfterMs = readRetryAfter(retryAfter, now)
  const parsed = z.safeParse(RefusalBody, parseJson(body))
  if (!parsed.success) return new ApiError({ ...answered, code: null, message: invalidResponse, retryAfterMs })
  const { error, code, details } = parsed.data
  return new ApiError({ ...answered, code: isErrorCode(code) ? code : null, message: error, details, retryAfterMs })
}

/** Seconds or a date, as HTTP allows. */
function readRetryAfter(text: string | null, now: number): number | undefined {
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
