/**
 * True for the origin of a page this server delivered: the public address, or the very host the request came to.
 * A browser sets both headers itself, so a page of another site cannot claim them.
 */
export function isOwnOrigin(publicUrl: URL, origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const asked = new URL(origin)
  return asked.origin === publicUrl.origin || asked.host === host
}
