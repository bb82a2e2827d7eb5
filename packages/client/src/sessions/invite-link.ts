import { fromBase64url, toBase64url } from '@sallyport/crypto'

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

/** Parses the session of a URL; null for a URL without one. A truncated secret is reported as incomplete. */
export function parseInviteLink({ search, hash }: Pick<URL, 'search' | 'hash'>): ParsedInvitation | null {
  const pin = new URLSearchParams(search).get('session') ?? ''
  if (!/^\d{6}$/.test(pin)) return null
  const text = /^#s=(.*)$/.exec(hash)?.[1]
  if (text === undefined) return { pin, linkSecret: null }
  if (!/^[\w-]{22}$/.test(text)) return { pin, isIncomplete: true }
  try {
    return { pin, linkSecret: fromBase64url(text) }
  } catch {
    return { pin, isIncomplete: true }
  }
}
