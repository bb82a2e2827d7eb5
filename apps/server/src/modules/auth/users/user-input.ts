import { derivedCredential } from '@sallyport/contract/fields'
import { passwordLimits } from '@sallyport/contract/limits'
import { authError } from '../protocol/auth-error.ts'
import type { IdentifierInput } from '../provider.ts'
import { normalizeEmail, normalizePhone } from './identifier.rules.ts'
import type { Identifier } from './users.store.ts'

const maxCredentialBytes = 72
const maxMetadataLength = 4096

/** Normalizes an email address or phone number; throws when it is invalid and returns null when both are empty. */
export function parseIdentifier({ email = '', phone = '' }: IdentifierInput): Identifier | null {
  if (email !== '') {
    const normalized = normalizeEmail(email)
    if (normalized === null) {
      throw authError('validation_failed', { text: 'Unable to validate email address: invalid format' })
    }
    return { email: normalized }
  }
  if (phone === '') return null
  const normal = normalizePhone(phone)
  if (normal === null) {
    throw authError('validation_failed', {
      text: 'Enter the phone number with its country code, such as +44 20 7946 0000',
    })
  }
  return { phone: normal }
}

/** Accepts only a login secret as derived by the browser, so that a typed password is never accepted by mistake. */
export function validateDerivedSecret(credential: string): void {
  if (!derivedCredential.test(credential)) throw authError('derived_secret_required')
}

/** Validates a new credential; in strict mode it must be a derived login secret. */
export function validateCredential(credential: string, strict: boolean): void {
  if (strict) {
    validateDerivedSecret(credential)
    return
  }
  if (credential === '') throw authError('validation_failed', { text: 'Signup requires a valid password' })
  if (Buffer.byteLength(credential) > maxCredentialBytes) {
    throw authError('validation_failed', { text: 'Password cannot be longer than 72 characters' })
  }
  if ([...credential].length < passwordLimits.minCharacters) throw authError('weak_password')
}

/** Serializes user metadata. Every access token contains it, so its length is limited. */
export function serializeMetadata(metadata: Readonly<Record<string, unknown>>): string {
  const serialized = JSON.stringify(metadata)
  if (serialized.length <= maxMetadataLength) return serialized
  throw authError('validation_failed', { text: 'User metadata cannot be longer than 4096 characters' })
}

/** Merges changes into stored metadata; a null value removes its key. */
export function mergeMetadata(stored: string, changes: Readonly<Record<string, unknown>>): string {
  const merged = Object.entries({ ...JSON.parse(stored), ...changes }).filter(([, value]) => value !== null)
  return serializeMetadata(Object.fromEntries(merged))
}
