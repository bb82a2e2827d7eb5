import type { AuthErrorCode } from '@sallyport/contract/auth-errors'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type AppError, refuse } from '../../errors.ts'
import { AuthRefusal } from './auth-refusal.ts'

/** A wrong current password must not look like the end of the sign-in. */
const codes: Readonly<Partial<Record<AuthErrorCode, ErrorCode>>> = {
  invalid_credentials: 'INVALID_CREDENTIALS',
  current_password_invalid: 'PASSWORD_INVALID',
  reauthentication_needed: 'PASSWORD_PROOF_REQUIRED',
  derived_secret_required: 'DERIVED_SECRET_REQUIRED',
  email_not_confirmed: 'EMAIL_NOT_VERIFIED',
  phone_not_confirmed: 'EMAIL_NOT_VERIFIED',
  user_banned: 'FORBIDDEN',
}

/** Runs a call of the provider and reports its errors as the product's own interface does. */
export async function withProductErrors<Answer>(call: () => Promise<Answer>): Promise<Answer> {
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
