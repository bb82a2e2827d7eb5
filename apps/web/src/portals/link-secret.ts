import type { JoinInput } from '@sallyport/client/portal/meeting/room-code'
import { fromBase64url } from '@sallyport/crypto'
import type { PortalLink } from './arrival.ts'

const secretBytes = 16

/**
 * What a device joins by. Next to a secret the digits are random, so a link with a damaged secret joins nothing: it is never
 * taken for a typed code.
 */
export function joinInputOf({ digits, secret, prefixDigits }: PortalLink): JoinInput {
  if (secret === null) return { pin: digits }
  const bytes = secretOf(secret)
  return bytes ? { prefix: digits.slice(0, prefixDigits), secret: bytes } : { pin: '' }
}

function secretOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const secret = fromBase64url(text)
    return secret.length === secretBytes ? secret : null
  } catch {
    return null
  }
}
