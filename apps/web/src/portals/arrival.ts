/** What somebody came to the portal for, when it was said elsewhere. */
export type Wish =
  | { readonly kind: 'create' }
  | { readonly kind: 'join'; readonly link: PortalLink; readonly isByLink: boolean }

/** What a link into a portal holds; a typed code is one without a secret. */
export interface PortalLink {
  /** Six digits, or eight where they were typed. Next to a secret only the first `prefixDigits` mean anything. */
  readonly digits: string
  /** What stood behind `#`, as it stood there. */
  readonly secret: string | null
  readonly prefixDigits: 2 | 4
}

let wish: Wish | null = null

export const wishFor = (next: Wish): void => {
  wish = next
}

/** Gives the wish once. */
export function takeWish(): Wish | null {
  const taken = wish
  wish = null
  return taken
}

/** Reads `?join=` with exactly six digits, and what is behind `#`. Null for every other address. */
export function readPortalLink({
  pathname,
  search,
  hash,
}: Pick<URL, 'pathname' | 'search' | 'hash'>): PortalLink | null {
  const digits = new URLSearchParams(search).get('join')
  if (pathname !== '/' || digits === null || !/^\d{6}$/.test(digits)) return null
  const fragment = new URLSearchParams(hash.slice(1))
  return { digits, secret: fragment.get('k'), prefixDigits: fragment.get('p') === '4' ? 4 : 2 }
}

/**
 * Reads `?join=` with exactly six digits, and the secret behind `#` where there is one, and clears both from the address
 * before anything is asked of the server. Answers whether somebody came by such a link.
 */
export function takeJoinLink(isSignedIn: boolean): boolean {
  const link = readPortalLink(location)
  if (!link) return false
  wishFor({ kind: 'join', link, isByLink: true })
  history.replaceState(null, '', isSignedIn ? '/?tab=portal' : '/portal?anonymous=true')
  return true
}
