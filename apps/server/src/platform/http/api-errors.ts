import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type ErrorBody, errorCatalogue } from '@sallyport/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, apiError } from '../../errors.ts'
import { reasonOf, type StateLog } from '../../state-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs when writes begin to fail for lack of space, and when an upload has succeeded again. */
    fullDisk: StateLog
  }
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

/** Sends the error body of an API error. Unexpected errors are logged and sent as INTERNAL. */
export function sendApiError(
  error: FastifyError | ApiError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const apiFailure = toApiError(error)
  reportFault(request, apiFailure, error)
  const body: ErrorBody = {
    ...apiFailure.extraFields,
    success: false,
    error: apiFailure.message,
    code: apiFailure.code,
    ...(apiFailure.details && { details: apiFailure.details }),
  }
  const retryAfter = retryAfterOf(apiFailure)
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  reply.headers(apiFailure.headers)
  reply.code(apiFailure.status).type('application/json; charset=utf-8').send(body)
}

/** Logs an error that the operator has to know of; a full disk only once, and not for each request. */
export function reportFault(request: FastifyRequest, apiFailure: ApiError, error: unknown): void {
  if (apiFailure.code === 'NO_SPACE') request.server.fullDisk.fail(reasonOf(apiFailure))
  else if (isFault(apiFailure)) request.log.error({ err: apiFailure.cause ?? error }, 'request failed')
}

/**
 * Whether the operator has to know of it. Not a 5xx with a retry time: it sheds load on purpose, and a flood of them must
 * not fill the log.
 */
const isFault = ({ status, code, retryAfterSeconds }: ApiError): boolean =>
  (status >= 500 || code === 'FILE_BYTES_LOST') && retryAfterSeconds === undefined

/** The Retry-After header in seconds, for temporary errors. */
export function retryAfterOf({ status, retryAfterSeconds }: Pick<ApiError, 'status' | 'retryAfterSeconds'>) {
  const seconds = retryAfterSeconds ?? (status === 429 || status === 503 ? 5 : undefined)
  return seconds === undefined ? undefined : String(Math.max(1, Math.ceil(seconds)))
}

/** Converts any error to an API error. */
export function toApiError(error: FastifyError | ApiError | Error): ApiError {
  if (error instanceof ApiError) return error
  const code = 'code' in error ? error.code : undefined
  const known = code === undefined ? undefined : frameworkCodes[code]
  if (known) return apiError(known)
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    const match = (Object.keys(errorCatalogue) as ErrorCode[]).find((name) => errorCatalogue[name].status === status)
    return apiError(match ?? 'BAD_REQUEST')
  }
  return apiError('INTERNAL', { cause: error })
}
