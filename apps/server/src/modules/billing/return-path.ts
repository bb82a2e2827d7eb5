const allowedPaths = ['/', '/settings', '/business', '/upgrade-success', '/business-success']

/**
 * The path and query of a URL that a checkout may lead back to; null if it belongs to another origin or is no such page.
 * Relative URLs belong to this server.
 */
export function parseReturnPath(text: string, publicUrl: URL): string | null {
  if (!URL.canParse(text, publicUrl)) return null
  const { origin, pathname, search } = new URL(text, publicUrl)
  return origin === publicUrl.origin && allowedPaths.includes(pathname) ? pathname + search : null
}
