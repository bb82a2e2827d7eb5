import type { SupportedStorage } from '@supabase/auth-js'
import { readClaims } from './claims.ts'

/** Less than the client's own margin before the expiry. */
const toleratedMs = 5000

/**
 * Storage adapter for the provider's client. An auth session that was stored and is gone has ended, in this tab or in
 * another one, and is not stored again: a response that is still in flight would restore it.
 *
 * The client compares the expiry of the access token with the device's clock. It is returned by that clock, which is
 * `aheadMs()` ahead of the server's: otherwise a device that is ahead would refresh the token with each call.
 */
export function createAuthSessionStorage(storage: Storage, aheadMs: () => number = () => 0): SupportedStorage {
  const seenIds = new Set<string>()

  function read(key: string): string | null {
    const stored = storage.getItem(key)
    const id = authSessionIdOf(stored)
    if (id !== null) seenIds.add(id)
    return stored
  }

  return {
    getItem: (key) => withDeviceExpiry(read(key), aheadMs()),
    setItem(key, value) {
      const id = authSessionIdOf(value)
      const hasEnded = id !== null && seenIds.has(id) && authSessionIdOf(read(key)) !== id
      if (hasEnded) return
      if (id !== null) seenIds.add(id)
      storage.setItem(key, value)
    },
    removeItem(key) {
      read(key)
      storage.removeItem(key)
    },
  }
}

function withDeviceExpiry(stored: string | null, aheadMs: number): string | null {
  if (stored === null || Math.abs(aheadMs) < toleratedMs) return stored
  try {
    const session = JSON.parse(stored) as { access_token?: string }
    const expiresAt = readClaims(session.access_token ?? '')['exp']
    if (typeof expiresAt !== 'number') return stored
    return JSON.stringify({ ...session, expires_at: expiresAt + Math.round(aheadMs / 1000) })
  } catch {
    return stored
  }
}

/** The auth session id of a stored value; it does not change when the tokens are refreshed. */
function authSessionIdOf(stored: string | null): string | null {
  try {
    const { access_token: token } = JSON.parse(stored ?? '{}') as { access_token?: string }
    const { session_id: id } = readClaims(token ?? '')
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
