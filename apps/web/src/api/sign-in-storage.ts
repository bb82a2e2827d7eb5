import type { SupportedStorage } from '@supabase/auth-js'
import { readClaims } from './claims.ts'

/**
 * The storage as the provider's client uses it. A sign-in that was there and is gone was ended, in this tab or in another
 * one, and is not kept again: an answer that is still on its way then would bring it back.
 */
export function createSignInStorage(storage: Storage): SupportedStorage {
  const seen = new Set<string>()

  function look(key: string): string | null {
    const kept = storage.getItem(key)
    const id = idOf(kept)
    if (id !== null) seen.add(id)
    return kept
  }

  return {
    getItem: look,
    setItem(key, value) {
      const id = idOf(value)
      const isOver = id !== null && seen.has(id) && idOf(look(key)) !== id
      if (isOver) return
      if (id !== null) seen.add(id)
      storage.setItem(key, value)
    },
    removeItem(key) {
      look(key)
      storage.removeItem(key)
    },
  }
}

/** The sign-in that a kept text is of; it stays the same when its tokens are renewed. */
function idOf(kept: string | null): string | null {
  try {
    const { access_token: token } = JSON.parse(kept ?? '{}') as { access_token?: string }
    const { session_id: id } = readClaims(token ?? '')
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
