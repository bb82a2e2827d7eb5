import { findCopiedSecret, fromBase64url, toBase64url } from '@sallyport/crypto'
import { readLinkDigits } from '../link-digits.ts'

const secretCharacters = 22

export interface Invitation {
  /** Six digits. */
  readonly pin: string
  /** The secret of a private session; null where the PIN is enough. */
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
}

export type ParsedInvitation = Invitation | { readonly pin: string; readonly isIncomplete: true }

/** Builds a link to a session. The secret of a private one is in the fragment, which browsers do not send. */
export function buildInviteLink(origin: string, { pin, linkSecret }: Invitation): string {
  return `${origin}/?session=${pin}${linkSecret === null ? '' : `#s=${toBase64url(linkSecret)}`}`
}

/**
 * Parses the session of a URL, also of one that mail or chat programs have changed; null for a URL without one. A damaged
 * secret is reported as incomplete.
 */
export function parseInviteLink({ search, hash }: Pick<URL, 'search' | 'hash'>): ParsedInvitation | null {
  const found = readLinkDigits(search, 'session')
  if (!found) return null
  const pin = found.digits
  const fragment = hash.replace(/^#+/, '') || found.fragment
  const text = /^\W*s(?:=|%3d)(.*)$/is.exec(fragment)?.[1]
  if (text === undefined) return fragment.startsWith('s') ? { pin, isIncomplete: true } : { pin, linkSecret: null }
  const secret = findCopiedSecret(text, secretCharacters)
  if (secret === null) return { pin, isIncomplete: true }
  try {
    return { pin, linkSecret: fromBase64url(secret) }
  } catch {
    return { pin, isIncomplete: true }
  }
}
