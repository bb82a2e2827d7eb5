import { type PortalLink, readPortalLink } from '../link-secret.ts'

/** Reads a link into a portal of this server. Null for everything else that a QR code may hold. */
export function readScannedLink(text: string, origin: string): PortalLink | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url?.origin === origin ? readPortalLink(url) : null
}
