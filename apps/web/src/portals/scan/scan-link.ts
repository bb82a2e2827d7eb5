/** What a link into a portal holds; `secret` is what stood behind `#`, as it stood there. */
export interface PortalLink {
  readonly pin: string
  readonly secret: string | null
}

/** Reads a link into a portal of this server. Null for everything else that a QR code may hold. */
export function readPortalLink(text: string, origin: string): PortalLink | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.origin !== origin || url.pathname !== '/') return null
  const pin = url.searchParams.get('join')
  if (pin === null || !/^\d{6}$/.test(pin)) return null
  return { pin, secret: new URLSearchParams(url.hash.slice(1)).get('k') }
}
