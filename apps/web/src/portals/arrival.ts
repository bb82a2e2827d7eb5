/** What somebody came to the portal for, when it was said elsewhere. */
export type Wish =
  | { readonly kind: 'create' }
  | { readonly kind: 'join'; readonly pin: string }
  /** A link, as it stood in the address. */
  | { readonly kind: 'follow'; readonly link: string }

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
 * Takes a link with exactly six digits in `?join=` out of the address, with what stands behind `#`, before anything is
 * asked of the server. Answers whether the page was opened by such a link.
 */
export function takeJoinLink(isSignedIn: boolean): boolean {
  const { href, search, pathname } = location
  if (pathname !== '/' || !/^\d{6}$/.test(new URLSearchParams(search).get('join') ?? '')) return false
  wishFor({ kind: 'follow', link: href })
  history.replaceState(null, '', isSignedIn ? '/?tab=portal' : '/portal?anonymous=true')
  return true
}
