import type { Named } from '../auth/provider.ts'
import { emailNormalForm, phoneNormalForm } from '../auth/users/identifier.rules.ts'
import { refuse } from '../errors.ts'

/** The normal form of the address or, without one, of the number somebody typed. */
export function readIdentifier({ email = '', phone = '' }: Named): string {
  if (email.trim() !== '') return readEmail(email)
  const normal = phoneNormalForm(phone)
  if (normal === null) throw refuse('EMAIL_OR_PHONE_REQUIRED')
  return normal
}

/** The normal form of an address. Refuses with EMAIL_INVALID what is none. */
export function readEmail(email: string): string {
  const normal = emailNormalForm(email)
  if (normal === null) throw refuse('EMAIL_INVALID')
  return normal
}
