import type { JoinInput } from '@sallyport/client/portal/meeting/room-code'
import { fromBase64url } from '@sallyport/crypto'

/** What a link into a portal holds. */
export interface PortalLink {
  /** Six digits. Next to a secret only the first `prefixDigits` mean anything. */
  readonly digits: string
  /** What stood behind `#`, as it stood there. */
  readonly secret: string | null
  readonly prefixDigits: 2 | 4
}

const secretBytes = 16

/** Reads `?join=` with exactly six digits, and what is behind `#`. Null for every other address. */
export function readPortalLink({ pathname, searchParams, hash }: URL): PortalLink | null {
  const digits = searchParams.get('join')
  if (pathname !== '/' || digits === null || !/^\d{6}$/.test(digits)) return null
  const fragment = new URLSearchParams(hash.slice(1))
  return { digits, secret: fragment.get('k'), prefixDigits: fragment.get('p') === '4' ? 4 : 2 }
}

/**
 * What a device joins by. Next to a secret the digits are random, so a link with a damaged secret joins nothing: it is never
 * taken for a typed code, and is called incomplete.
 */
export function joinInputOf({ digits, secret, prefixDigits }: PortalLink): JoinInput {
  if (secret === null) return { pin: digits }
  const bytes = secretOf(secret)
  return bytes ? { prefix: digits.slice(0, prefixDigits), secret: bytes } : { prefix: '', secret: new Uint8Array(0) }
}

function secretOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const secret = fromBase64url(text)
    return secret.length === secretBytes ? secret : null
  } catch {
    return null
  }
}
