import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type ErrorBody, errorCatalogue } from '@sallyport/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, refuse } from '../errors.ts'

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** Answers with the refusal's own body; what nobody meant to happen is logged whole and told in one plain sentence. */
export function answerRefusal(
  error: FastifyError | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asRefusal(error)
  if (isFault(refusal)) request.log.error({ err: refusal.cause ?? error }, 'request failed')
  const body: ErrorBody = {
    ...refusal.beside,
    success: false,
    error: refusal.message,
    code: refusal.code,
    ...(refusal.details && { details: refusal.details }),
  }
  const retryAfter = retryAfterOf(refusal)
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  reply.headers(refusal.headers)
  reply.code(refusal.status).type('application/json; charset=utf-8').send(body)
}

/** A 5xx that names when to retry sheds load on purpose: it is no fault, and a flood of them must not fill the log. */
export const isFault = ({ status, retryAfterSeconds }: Pick<AppError, 'status' | 'retryAfterSeconds'>): boolean =>
  status >= 500 && retryAfterSeconds === undefined

/** In whole seconds, for what passes by itself. */
export function retryAfterOf({ status, retryAfterSeconds }: Pick<AppError, 'status' | 'retryAfterSeconds'>) {
  const seconds = retryAfterSeconds ?? (status === 429 || status === 503 ? 5 : undefined)
  return seconds === undefined ? undefined : String(Math.max(1, Math.ceil(seconds)))
}

/** The refusal an error stands for. */
export function asRefusal(error: FastifyError | AppError | Error): AppError {
  if (error instanceof AppError) return error
  const code = 'code' in error ? error.code : undefined
  const known = code === undefined ? undefined : frameworkCodes[code]
  if (known) return refuse(known)
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    const match = (Object.keys(errorCatalogue) as ErrorCode[]).find((name) => errorCatalogue[name].status === status)
    return refuse(match ?? 'BAD_REQUEST')
  }
  return refuse('INTERNAL', { cause: error })
}
