import { hash } from 'node:crypto'

const maxEntries = 10_000

interface CachedToken<Subject> {
  readonly subject: Subject
  /** Epoch seconds between which the token is valid. */
  readonly from: number
  readonly until: number
}

/**
 * Caches verified tokens by their digests: a valid signature stays valid, and verifying it again would wait for a free
 * thread. The validity period is checked at every lookup.
 */
export function createVerifiedTokenCache<Holder>(now: () => number) {
  const entries = new Map<string, CachedToken<Holder>>()
  const digestOf = (token: string): string => hash('sha256', token, 'base64url')

  return {
    set(token: string, entry: CachedToken<Holder>): void {
      entries.set(digestOf(token), entry)
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
    /** Returns null for a token that has to be verified. */
    get(token: string): Holder | null {
      const digest = digestOf(token)
      const found = entries.get(digest)
      if (!found) return null
      const seconds = now() / 1000
      if (seconds >= found.from && seconds < found.until) return found.subject
      entries.delete(digest)
      return null
    },
  }
}
