import { authVersion, authVersionHeader } from '@sallyport/contract/auth'
import { type AuthErrorCode, authErrorCatalogue } from '@sallyport/contract/auth-errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../errors.ts'
import { asRefusal, isFault, retryAfterOf } from '../../http/refusals.ts'
import { AuthRefusal } from './auth-refusal.ts'

/** Answers with a refusal in the protocol's own form: the dated one when the caller says it knows it, else the older one. */
export function answerAuthRefusal(
  error: FastifyError | AuthRefusal | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = error instanceof AuthRefusal ? error : translate(error, request)
  const { status, code, message } = refusal
  const retryAfter = retryAfterOf(refusal)
  const dated = knowsDatedForm(request.headers[authVersionHeader])
  reply.code(status).type('application/json; charset=utf-8').header('x-sb-error-code', code)
  if (dated) reply.header(authVersionHeader, authVersion)
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  const weakness = code === 'weak_password' ? { weak_password: { reasons: ['length'] } } : {}
  reply.send(dated ? { code, message, ...weakness } : { code: status, error_code: code, msg: message, ...weakness })
}

interface Translated {
  readonly status: number
  readonly code: AuthErrorCode
  readonly message: string
  readonly retryAfterSeconds: number | undefined
}

const translations: Readonly<Partial<Record<AppError['code'], AuthErrorCode>>> = {
  BAD_JSON: 'bad_json',
  BAD_REQUEST: 'validation_failed',
  RATE_LIMITED: 'over_request_rate_limit',
}

function translate(error: FastifyError | AppError | Error, request: FastifyRequest): Translated {
  const refusal = asRefusal(error)
  const { status, retryAfterSeconds } = refusal
  if (isFault(refusal)) request.log.error({ err: refusal.cause ?? error }, 'request failed')
  const code = translations[refusal.code] ?? (status >= 500 ? 'unexpected_failure' : 'validation_failed')
  return {
    status,
    code,
    message: code === 'bad_json' ? authErrorCatalogue[code].text : refusal.message,
    retryAfterSeconds,
  }
}

function knowsDatedForm(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(header) && header >= authVersion
}
