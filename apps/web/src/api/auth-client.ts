import { GoTrueClient } from '@supabase/auth-js'
import { createSignInStorage } from './sign-in-storage.ts'
import { authStorageKey } from './stored-sign-in.ts'

interface Provider {
  readonly url: string
  readonly publishableKey: string
}

/** Follows no redirect: it would send a credential on to wherever the answer says. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

/**
 * The provider's own client. It must not look at the address: fragments carry share keys here, and the confirmation
 * page reads its own.
 */
export function createAuthClient({ url, publishableKey }: Provider): GoTrueClient {
  return new GoTrueClient({
    url,
    headers: { apikey: publishableKey },
    fetch: fetchHere,
    storage: createSignInStorage(localStorage),
    storageKey: authStorageKey,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })
}

/** A client for a link out of a mail: it keeps nothing, and touches no sign-in this browser may hold. */
export function createPassingClient({ url, publishableKey }: Provider): GoTrueClient {
  return new GoTrueClient({
    url,
    headers: { apikey: publishableKey },
    fetch: fetchHere,
    storageKey: `${authStorageKey}-passing`,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })
}
