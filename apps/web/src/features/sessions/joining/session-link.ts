/** The parts of the address when the page was opened by a session link. */
interface SessionLink {
  readonly search: string
  readonly hash: string
  /** The file that a `/share/` link points to. */
  readonly fileId: string | null
}

let pendingLink: SessionLink | null = null

/**
 * Reads a session link from the page's address and replaces the address with that of the screen, so that the link's
 * secret is neither kept in the history nor passed on. Called once, before the router reads the address.
 */
export function consumeSessionLink(isSignedIn: boolean): void {
  const { pathname, search, hash } = location
  const fileId = /^\/share\/([0-9a-f-]{36})$/.exec(pathname)?.[1] ?? null
  const query = new URLSearchParams(search)
  if (fileId === null && !/^\W*\d{6}(?![\da-z])/i.test(query.get('session') ?? '')) return
  pendingLink = { search, hash, fileId }
  history.replaceState(history.state, '', isSignedIn ? '/?tab=sessions' : '/#joinSession')
}

/** The session link that opened this page, until it is used. */
export const pendingSessionLink = (): SessionLink | null => pendingLink

export function clearSessionLink(): void {
  pendingLink = null
}
