import { apiError } from '../../errors.ts'
import type { IdentifierInput } from '../auth/provider.ts'
import { normalizeEmail, normalizePhone } from '../auth/users/identifier.rules.ts'

/** Normalizes the email address or, if there is none, the phone number. */
export function readIdentifier({ email = '', phone = '' }: IdentifierInput): string {
  if (email.trim() !== '') return readEmail(email)
  const normal = normalizePhone(phone)
  if (normal === null) throw apiError('EMAIL_OR_PHONE_REQUIRED')
  return normal
}

/** Normalizes an email address. Throws EMAIL_INVALID if it is not valid. */
export function readEmail(email: string): string {
  const normal = normalizeEmail(email)
  if (normal === null) throw apiError('EMAIL_INVALID')
  return normal
}
