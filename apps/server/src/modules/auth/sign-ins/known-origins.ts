import { guessingLimits } from '@sallyport/contract/server-limits'
import type { ProviderSecret } from '../provider-secret.ts'
import type { KnownOriginsStore } from './known-origins.store.ts'

interface KnownOriginsDeps {
  readonly store: KnownOriginsStore
  readonly secret: Pick<ProviderSecret, 'hashCode'>
  readonly now: () => number
}

/**
 * IP address blocks from which an account's owner has completed signing in, including the second factor. Limits on
 * guessing apply to them separately, so that guesses from elsewhere do not lock out the owner. Only a keyed hash of
 * each is stored.
 */
export function createKnownOrigins({ store, secret, now }: KnownOriginsDeps) {
  const hashOf = (userId: string, address: string): string => secret.hashCode(`origin|${userId}`, address)
  return {
    has: (userId: string, address: string): Promise<boolean> =>
      store.has({
        user_id: userId,
        origin_hash: hashOf(userId, address),
        seen_at: now() - guessingLimits.knownOriginMs,
      }),
    add: (userId: string, address: string): Promise<void> =>
      store.add({ user_id: userId, origin_hash: hashOf(userId, address), seen_at: now() }),
  }
}

export type KnownOrigins = ReturnType<typeof createKnownOrigins>
