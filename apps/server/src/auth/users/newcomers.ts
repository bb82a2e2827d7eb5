import { derivedCredential } from '@sallyport/contract/fields'
import { passwordLimits } from '@sallyport/contract/limits'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { Named } from '../provider.ts'
import { emailNormalForm, phoneNormalForm } from './identifier.rules.ts'
import type { Identifier } from './users.store.ts'

const longestCredentialBytes = 72
const longestMetadata = 4096

/** The normal form of what somebody is named by; refused when it is none, null when nothing is given. */
export function readIdentifier({ email = '', phone = '' }: Named): Identifier | null {
  if (email !== '') {
    const normal = emailNormalForm(email)
    if (normal === null) {
      throw refuseAuth('validation_failed', { text: 'Unable to validate email address: invalid format' })
    }
    return { email: normal }
  }
  if (phone === '') return null
  const normal = phoneNormalForm(phone)
  if (normal === null) {
    throw refuseAuth('validation_failed', { text: 'Invalid phone number format (E.164 required)' })
  }
  return { phone: normal }
}

/** Refuses everything but a login secret as the browser derives it, so that a password can never travel here by mistake. */
export function checkDerived(credential: string): void {
  if (!derivedCredential.test(credential)) throw refuseAuth('derived_secret_required')
}

/** Refuses what a new credential may not look like; a strict provider takes nothing but derived login secrets. */
export function checkCredential(credential: string, strict: boolean): void {
  if (strict) {
    checkDerived(credential)
    return
  }
  if (credential === '') throw refuseAuth('validation_failed', { text: 'Signup requires a valid password' })
  if (Buffer.byteLength(credential) > longestCredentialBytes) {
    throw refuseAuth('validation_failed', { text: 'Password cannot be longer than 72 characters' })
  }
  if ([...credential].length < passwordLimits.fewestCharacters) throw refuseAuth('weak_password')
}

/** What the newcomer says of themselves, as text; it travels in every access token and so stays short. */
export function printMetadata(metadata: Readonly<Record<string, unknown>>): string {
  const printed = JSON.stringify(metadata)
  if (printed.length <= longestMetadata) return printed
  throw refuseAuth('validation_failed', { text: 'The data of a user must not be longer than 4096 characters' })
}

/** Metadata with changes merged in; null takes a key away. */
export function mergeMetadata(stored: string, changes: Readonly<Record<string, unknown>>): string {
  const merged = Object.entries({ ...JSON.parse(stored), ...changes }).filter(([, value]) => value !== null)
  return printMetadata(Object.fromEntries(merged))
}
