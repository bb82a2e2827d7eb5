/** What the address said when the page was opened by a link into a session. */
interface Arrival {
  readonly search: string
  readonly hash: string
  /** The file that a link of `/share/` leads to. */
  readonly fileId: string | null
}

let arrival: Arrival | null = null

/**
 * Takes a link into a session out of the page's own address, where it would stay in the history and be carried on, and
 * puts the screen it leads to in its place. Done once, before the router looks at the address.
 */
export function takeArrival(isSignedIn: boolean): void {
  const { pathname, search, hash } = location
  const fileId = /^\/share\/([0-9a-f-]{36})$/.exec(pathname)?.[1] ?? null
  const query = new URLSearchParams(search)
  if (fileId === null && !/^\d{6}$/.test(query.get('session') ?? '')) return
  arrival = { search, hash, fileId }
  history.replaceState(history.state, '', isSignedIn ? '/?tab=sessions' : '/#joinSession')
}

/** What a link has brought here, until it is used. */
export const currentArrival = (): Arrival | null => arrival

export function forgetArrival(): void {
  arrival = null
}
