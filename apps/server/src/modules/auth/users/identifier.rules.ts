const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Returns the normalized email address, or null when it is invalid. Compatibility characters (NFKC) are mapped to their
 * plain forms. Other non-ASCII characters are rejected, so that no address can look like another one.
 */
export function normalizeEmail(text: string): string | null {
  const normalized = text.trim().normalize('NFKC').toLowerCase()
  const [local = '', host = '', ...rest] = normalized.split('@')
  if (rest.length > 0 || local.length > 64 || normalized.length > 254) return null
  return localPart.test(local) && domain.test(host) ? normalized : null
}

/** Returns the 7 to 15 digits of an E.164 phone number without the plus sign, or null when it is invalid. */
export function normalizePhone(text: string): string | null {
  const digits = text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^\+/, '')
  return /^[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}
