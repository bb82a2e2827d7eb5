import { tokenLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../../context.ts'
import { type Revocation, revokedTopic } from '../../../platform/events/publish.ts'
import type { Account } from '../../../platform/http/caller.ts'
import { hasEnded } from './auth-session.rules.ts'
import type { AuthSessionsStore } from './auth-sessions.store.ts'

/** The bus topic for a changed assurance level (AAL) of a user's sessions: none has ended, but caches are stale. */
export const aalChangedTopic = 'sign-in.reach'

interface LiveAuthSessionsDeps extends Pick<ServerContext, 'bus' | 'now'> {
  readonly authSessions: AuthSessionsStore
}

type AuthSessionState = NonNullable<Awaited<ReturnType<AuthSessionsStore['find']>>>

/** Finds live auth sessions. Cached entries are at most five seconds old and are evicted at once by a revocation. */
export function createLiveAuthSessions({ authSessions, bus, now }: LiveAuthSessionsDeps) {
  const cache = new Map<string, { state: AuthSessionState; until: number }>()
  let revocations = 0

  function evict({ userId, signInId }: Revocation): void {
    revocations += 1
    for (const [id, { state }] of cache) {
      if (state.userId === userId && (signInId === undefined || signInId === id)) cache.delete(id)
    }
  }
  bus.subscribe<Revocation>(revokedTopic, evict)
  bus.subscribe<Revocation>(aalChangedTopic, evict)

  function evictExpired(): void {
    for (const [id, { until }] of cache) {
      if (until > now()) return
      cache.delete(id)
    }
  }

  async function findState(id: string): Promise<AuthSessionState | null> {
    const cached = cache.get(id)
    if (cached && cached.until > now()) return cached.state
    evictExpired()
    const revocationsBefore = revocations
    const state = await authSessions.find(id)
    cache.delete(id)
    // A revocation that arrived while the row was read may be newer than the row.
    if (state && revocationsBefore === revocations)
      cache.set(id, { state, until: now() + tokenLimits.authSessionCacheMs })
    return state
  }

  return {
    /** Returns the account of a live auth session, or null. */
    async find({ userId, authSessionId }: { userId: string; authSessionId: string }): Promise<Account | null> {
      const state = await findState(authSessionId)
      if (!state || state.userId !== userId || hasEnded(state.notAfter, now())) return null
      if (state.bannedUntil !== null && state.bannedUntil > now()) return null
      const { email, mfaPending, recoveredAt } = state
      return { userId, authSessionId, email, mfaPending, recoveredAt }
    },
  }
}
