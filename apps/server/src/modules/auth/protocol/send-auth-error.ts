import { authVersion, authVersionHeader } from '@sallyport/contract/auth'
import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../../../errors.ts'
import { reportFault, retryAfterOf, toApiError } from '../../../platform/http/api-errors.ts'
import { AuthError } from './auth-error.ts'

/** Sends an error in the protocol's format: the dated one when the request announces it, otherwise the older one. */
export function sendAuthError(
  error: FastifyError | AuthError | ApiError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const authError = error instanceof AuthError ? error : translateError(error, request)
  const { status, code, message } = authError
  const retryAfter = retryAfterOf(authError)
  const usesDatedFormat = supportsDatedFormat(request.headers[authVersionHeader])
  reply.code(status).type('application/json; charset=utf-8').header('x-sb-error-code', code)
  if (usesDatedFormat) reply.header(authVersionHeader, authVersion)
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  const weakPasswordFields = code === 'weak_password' ? { weak_password: { reasons: ['length'] } } : {}
  reply.send(
    usesDatedFormat
      ? { code, message, ...weakPasswordFields }
      : { code: status, error_code: code, msg: message, ...weakPasswordFields },
  )
}

interface TranslatedError {
  readonly status: number
  readonly code: AuthErrorCode
  readonly message: string
  readonly retryAfterSeconds: number | undefined
}

const translations: Readonly<Partial<Record<ApiError['code'], AuthErrorCode>>> = {
  BAD_JSON: 'bad_json',
  BAD_REQUEST: 'validation_failed',
  RATE_LIMITED: 'over_request_rate_limit',
}

function translateError(error: FastifyError | ApiError | Error, request: FastifyRequest): TranslatedError {
  const apiError = toApiError(error)
  const { status, retryAfterSeconds } = apiError
  reportFault(request, apiError, error)
  const code = translations[apiError.code] ?? (status >= 500 ? 'unexpected_failure' : 'validation_failed')
  return {
    status,
    code,
    message: code === 'bad_json' ? authErrorCatalogue[code].text : apiError.message,
    retryAfterSeconds,
  }
}

function supportsDatedFormat(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(header) && header >= authVersion
}
