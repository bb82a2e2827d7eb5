import { readLinkDigits } from '@sallyport/client/link-digits'
import type { Invitation, JoinInput } from '@sallyport/client/portal/pairing/room-code'
import { ignore } from '@sallyport/contract/ignore'
import { findCopiedSecret, fromBase64url, toBase64url } from '@sallyport/crypto'

/** The contents of a portal link. */
export interface PortalLink {
  /** Six digits. With a secret only the first `prefixDigits` are significant. */
  readonly digits: string
  /** The undecoded secret from the fragment. */
  readonly secret: string | null
  readonly prefixDigits: 2 | 4
}

const secretCharacters = 22

/**
 * Parses `?join=` with exactly six digits and the fragment, also of a link that mail or chat programs have changed. Returns
 * null for every other address.
 */
export function readPortalLink({ pathname, search, hash }: URL): PortalLink | null {
  const found = readLinkDigits(search, 'join')
  if (pathname !== '/' || !found) return null
  const fragment = new URLSearchParams((hash.replace(/^#+/, '') || found.fragment).replace(/%3d/gi, '='))
  return { digits: found.digits, secret: fragment.get('k'), prefixDigits: fragment.get('p')?.startsWith('4') ? 4 : 2 }
}

/**
 * Converts a link into the input of a join. In a link with a secret the other digits are random, so a link with a
 * damaged secret joins nothing: it is reported as incomplete and never used as a typed code.
 */
export function toJoinInput({ digits, secret, prefixDigits }: PortalLink): JoinInput {
  if (secret === null) return { pin: digits }
  const bytes = parseSecret(secret)
  return bytes ? { prefix: digits.slice(0, prefixDigits), secret: bytes } : { prefix: '', secret: new Uint8Array(0) }
}

function parseSecret(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const copied = findCopiedSecret(text, secretCharacters)
    return copied === null ? null : fromBase64url(copied)
  } catch (error) {
    ignore(error, 'the secret of a link is damaged')
    return null
  }
}

/** Parses a portal link of this server from a QR code. Returns null for every other QR code. */
export function readScannedLink(text: string, origin: string): PortalLink | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url?.origin === origin ? readPortalLink(url) : null
}

/**
 * The address of a portal. The secret is in the fragment, which is never sent to a server. The digits before it are the
 * prefix, which the server knows, filled up with random ones. `p` is set for a prefix of four digits.
 */
export const portalUrlOf = ({ linkDigits, prefix, secret }: Invitation): string =>
  `${location.origin}/?join=${linkDigits}#k=${toBase64url(secret)}${prefix.length === 4 ? '&p=4' : ''}`
