/**
 * Removes a link with exactly six digits in `?join=`, including its fragment, from the address before the server is
 * called. Returns its complete address, or null if the page was not opened by such a link. Part of the first chunk.
 */
export function consumeJoinLink(isSignedIn: boolean): string | null {
  const { href, search, pathname } = location
  if (pathname !== '/' || !/^\d{6}$/.test(new URLSearchParams(search).get('join') ?? '')) return null
  history.replaceState(null, '', isSignedIn ? '/?tab=portal' : '/portal?anonymous=true')
  return href
}
