import type { AuthErrorCode } from '@sallyport/contract/auth-errors'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { type ApiError, apiError } from '../../../errors.ts'
import { AuthError } from './auth-error.ts'

/** A wrong current password has a code of its own, so that clients do not take it for the end of the auth session. */
const productCodes: Readonly<Partial<Record<AuthErrorCode, ErrorCode>>> = {
  invalid_credentials: 'INVALID_CREDENTIALS',
  current_password_invalid: 'PASSWORD_INVALID',
  reauthentication_needed: 'PASSWORD_PROOF_REQUIRED',
  derived_secret_required: 'DERIVED_SECRET_REQUIRED',
  email_not_confirmed: 'EMAIL_NOT_VERIFIED',
  phone_not_confirmed: 'EMAIL_NOT_VERIFIED',
  signup_disabled: 'REGISTRATION_CLOSED',
  email_address_not_authorized: 'EMAIL_DOMAIN_NOT_ALLOWED',
}

/** Runs a call of the provider and translates its errors to those of the product's own API. */
export async function withProductErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof AuthError ? translateError(error) : error
  }
}

function translateError(error: AuthError): ApiError {
  const { code, message, retryAfterSeconds } = error
  if (code === 'over_request_rate_limit') {
    return apiError('RATE_LIMITED', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
  if (code === 'user_banned')
    return apiError('FORBIDDEN', { text: 'This account is suspended. Contact the administrator of this server.' })
  if (code === 'weak_password')
    return apiError('REGISTRATION_FAILED', { text: 'Password must be at least 6 characters' })
  if (code === 'validation_failed') return apiError('REGISTRATION_FAILED', { text: message })
  return apiError(productCodes[code] ?? 'INTERNAL', { cause: error })
}
