import { organizationLimits } from './organization-limits.ts'

/**
 * Control and line characters, those that change the direction of text or are invisible (joiners are part of some
 * scripts), and what makes a link.
 */
const forbidden = /[\p{Cc}\p{Co}\p{Cn}\p{Zl}\p{Zp}/\\@<>]|(?![\u200c\u200d])\p{Cf}|www\./iu

/** Returns the name as it is stored: composed (NFC), without blanks around it. `missing` if it is empty. */
export function parseOrganizationName(
  text: string,
): { readonly name: string } | { readonly error: 'missing' | 'invalid' } {
  const name = text.normalize('NFC').trim()
  if (name === '') return { error: 'missing' }
  const isTooLong = [...name].length > organizationLimits.nameCharacters
  return isTooLong || forbidden.test(name) ? { error: 'invalid' } : { name }
}
