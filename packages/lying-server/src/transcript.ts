type Bytes = Uint8Array

/** Everything that a server received and sent, and the URL of each request. */
export interface Transcript {
  received(data: string | Bytes): void
  sent(data: string | Bytes): void
  requested(url: string): void
  /** The encoding in which a secret occurs in the recorded data; null if it does not occur. */
  occurrenceOf(secret: string | Bytes): string | null
  readonly urls: readonly string[]
  /** All recorded text, for values that an attacker may extract from it. */
  text(): string
}

const latin1 = (bytes: Bytes): string => {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return text
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export function createTranscript(): Transcript {
  const parts: string[] = []
  const urls: string[] = []
  const add = (data: string | Bytes) => void parts.push(latin1(typeof data === 'string' ? utf8(data) : data))
  return {
    received: add,
    sent: add,
    requested(url) {
      urls.push(url)
      add(url)
      add(url.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))
    },
    occurrenceOf(secret) {
      const all = parts.join('\n')
      const found = encodingsOf(typeof secret === 'string' ? utf8(secret) : secret).find(([, text]) =>
        all.includes(text),
      )
      return found?.[0] ?? null
    },
    urls,
    text: () => parts.join('\n'),
  }
}

/** The encodings of a secret to search for. Base64 is searched at each of its three alignments. */
function encodingsOf(secret: Bytes): readonly (readonly [form: string, text: string])[] {
  const hex = [...secret].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].map((offset) => base64At(secret, offset))
  return [
    ['raw bytes', latin1(secret)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ...base64.map((text) => ['base64', text] as const),
    ...base64.map((text) => ['base64url', text.replaceAll('+', '-').replaceAll('/', '_')] as const),
  ]
}

/** The base64 characters that depend only on these bytes when `offset` bytes precede them. */
function base64At(secret: Bytes, offset: number): string {
  const padded = new Uint8Array(offset + secret.length)
  padded.set(secret, offset)
  const whole = Math.floor((padded.length * 8) / 6)
  return btoa(latin1(padded)).slice(Math.ceil((offset * 8) / 6), whole)
}
