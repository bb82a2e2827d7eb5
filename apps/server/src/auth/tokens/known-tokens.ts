import { hash } from 'node:crypto'

const mostKnown = 10_000

interface Known<Holder> {
  readonly holder: Holder
  /** Epoch seconds between which it counts. */
  readonly from: number
  readonly until: number
}

/**
 * Remembers whose tokens were checked, by their digests: a signature that was right stays right, and to check it anew
 * waits for a free thread. Time is looked at again whenever somebody asks.
 */
export function createKnownTokens<Holder>(now: () => number) {
  const known = new Map<string, Known<Holder>>()
  const digestOf = (token: string): string => hash('sha256', token, 'base64url')

  return {
    remember(token: string, checked: Known<Holder>): void {
      known.set(digestOf(token), checked)
      const oldest = known.size > mostKnown ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
    },
    /** Null for a token that has to be checked. */
    recall(token: string): Holder | null {
      const digest = digestOf(token)
      const found = known.get(digest)
      if (!found) return null
      const seconds = now() / 1000
      if (seconds >= found.from && seconds < found.until) return found.holder
      known.delete(digest)
      return null
    },
  }
}
