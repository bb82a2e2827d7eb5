import type { AuthErrorCode } from '@sallyport/contract/auth-errors'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { AuthRefusal } from '../auth/protocol/auth-refusal.ts'
import { type AppError, refuse } from '../errors.ts'

const codes: Readonly<Partial<Record<AuthErrorCode, ErrorCode>>> = {
  invalid_credentials: 'INVALID_CREDENTIALS',
  derived_secret_required: 'DERIVED_SECRET_REQUIRED',
  email_not_confirmed: 'EMAIL_NOT_VERIFIED',
  phone_not_confirmed: 'EMAIL_NOT_VERIFIED',
  user_banned: 'FORBIDDEN',
}

/** Runs a call of the provider; what it refuses is told in the words of our own interface. */
export async function inOwnWords<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof AuthRefusal ? translate(error) : error
  }
}

function translate(refusal: AuthRefusal): AppError {
  const { code, message, retryAfterSeconds } = refusal
  if (code === 'over_request_rate_limit') {
    return refuse('RATE_LIMITED', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
  if (code === 'weak_password') return refuse('REGISTRATION_FAILED', { text: 'Password must be at least 6 characters' })
  if (code === 'validation_failed') return refuse('REGISTRATION_FAILED', { text: message })
  return refuse(codes[code] ?? 'INTERNAL', { cause: refusal })
}
