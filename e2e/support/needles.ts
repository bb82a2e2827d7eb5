/** One encoding of a secret to search for. */
export interface Needle {
  readonly secret: string
  readonly form: string
  readonly bytes: Buffer
}

/** A secret and the name under which it is reported. */
export interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Shorter needles match by chance. */
const minBytes = 8

/**
 * Returns all encodings of a secret: raw, hexadecimal, base64 and base64url (at any offset in a longer run of bytes),
 * percent-encoded and UTF-16.
 */
export function needlesOf(secret: Secret): Needle[] {
  const bytes = Buffer.from(secret.bytes)
  if (bytes.length < minBytes) throw new RangeError(`${secret.name} is too short to be searched for`)
  const hex = bytes.toString('hex')
  const forms: Readonly<Record<string, Buffer>> = {
    raw: bytes,
    'hex, lower case': Buffer.from(hex),
    'hex, upper case': Buffer.from(hex.toUpperCase()),
    ...base64Forms(bytes),
    'percent, lower case': Buffer.from(hex.replace(/../g, '%$&')),
    'percent, upper case': Buffer.from(hex.toUpperCase().replace(/../g, '%$&')),
    'percent where needed': Buffer.from(percentWhereNeeded(bytes)),
    'UTF-16LE': Buffer.from(asText(bytes), 'utf16le'),
    'UTF-16BE': Buffer.from(asText(bytes), 'utf16le').swap16(),
  }
  const seen = new Set<string>()
  return Object.entries(forms).flatMap(([form, needle]) => {
    const key = needle.toString('latin1')
    if (seen.has(key)) return []
    seen.add(key)
    return [{ secret: secret.name, form, bytes: needle }]
  })
}

/** A base64 character encodes 6 bits, so only characters that lie entirely within the secret are constant. */
function base64Forms(bytes: Buffer): Record<string, Buffer> {
  const forms: Record<string, Buffer> = {}
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const whole = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3))
    forms[`base64 after ${before}`] = Buffer.from(whole)
    forms[`base64url after ${before}`] = Buffer.from(whole.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)

/** Decodes valid UTF-8 as text, other bytes as one character each. */
const asText = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')

const percentWhereNeeded = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? encodeURIComponent(bytes.toString('utf8'))
    : [...bytes]
        .map((byte) => {
          const character = String.fromCharCode(byte)
          return /[A-Za-z0-9_.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        })
        .join('')
