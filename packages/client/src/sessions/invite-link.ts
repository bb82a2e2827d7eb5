import { fromBase64url, toBase64url } from '@sallyport/crypto'

export interface Invitation {
  /** Six digits. */
  readonly pin: string
  /** Of a private session; null where the PIN is enough. */
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
}

export type ReadInvitation = Invitation | { readonly pin: string; readonly isIncomplete: true }

/** A link that leads into a session. What opens a private one stands after #, where no browser sends it. */
export function writeInviteLink(origin: string, { pin, linkSecret }: Invitation): string {
  return `${origin}/?session=${pin}${linkSecret === null ? '' : `#s=${toBase64url(linkSecret)}`}`
}

/** What an address says of a session; null for one that leads into none. A link that was cut is told from a whole one. */
export function readInviteLink({ search, hash }: Pick<URL, 'search' | 'hash'>): ReadInvitation | null {
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
