import type { SupportedStorage } from '@supabase/auth-js'
import { readClaims } from './claims.ts'

/**
 * Storage adapter for the provider's client. An auth session that was stored and is gone has ended, in this tab or in
 * another one, and is not stored again: a response that is still in flight would restore it.
 */
export function createAuthSessionStorage(storage: Storage): SupportedStorage {
  const seenIds = new Set<string>()

  function read(key: string): string | null {
    const stored = storage.getItem(key)
    const id = authSessionIdOf(stored)
    if (id !== null) seenIds.add(id)
    return stored
  }

  return {
    getItem: read,
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
