const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * The one way an address is written here, or null when it is none.
 * Wide and joined letters fall together with their plain forms; letters that merely look like others are refused, so
 * that nobody can hold an address that reads like somebody else's.
 */
export function emailNormalForm(text: string): string | null {
  const written = text.trim().normalize('NFKC').toLowerCase()
  const [local = '', host = '', ...rest] = written.split('@')
  if (rest.length > 0 || local.length > 64 || written.length > 254) return null
  return localPart.test(local) && domain.test(host) ? written : null
}

/** The one way a phone number is written here: its 7 to 15 digits with the country's first; or null when it is none. */
export function phoneNormalForm(text: string): string | null {
  const digits = text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^\+/, '')
  return /^[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}
