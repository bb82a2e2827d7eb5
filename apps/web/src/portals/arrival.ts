/** What somebody came to the portal for, when it was said elsewhere. */
export type Wish =
  | { readonly kind: 'create' }
  /** `secret` is what stood behind `#`, as it stood there. */
  | { readonly kind: 'join'; readonly pin: string; readonly secret: string | null; readonly isByLink: boolean }

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

/**
 * Reads `?join=` with exactly six digits, and the secret behind `#` where there is one, and clears both from the address
 * before anything is asked of the server. Answers whether somebody came by such a link.
 */
export function takeJoinLink(isSignedIn: boolean): boolean {
  const { search, hash, pathname } = location
  const pin = new URLSearchParams(search).get('join')
  if (pathname !== '/' || pin === null || !/^\d{6}$/.test(pin)) return false
  wishFor({ kind: 'join', pin, secret: new URLSearchParams(hash.slice(1)).get('k'), isByLink: true })
  history.replaceState(null, '', isSignedIn ? '/?tab=portal' : '/portal?anonymous=true')
  return true
}
