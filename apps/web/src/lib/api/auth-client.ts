import { GoTrueClient } from '@supabase/auth-js'
import { createAuthSessionStorage } from './auth-session-storage.ts'
import { authStorageKey } from './stored-auth-session.ts'

interface AuthProviderConfig {
  readonly url: string
  readonly publishableKey: string
}

/** Rejects redirects: following one would forward a credential to any host the response names. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

/** Creates the provider's own client, which persists the auth session of this browser. */
export const createAuthClient = (provider: AuthProviderConfig): GoTrueClient =>
  createClient(provider, {
    storage: createAuthSessionStorage(localStorage),
    storageKey: authStorageKey,
    autoRefreshToken: true,
    persistSession: true,
  })

/** Creates a client for an email link: it persists nothing and does not touch this browser's auth session. */
export const createPassingClient = (provider: AuthProviderConfig): GoTrueClient =>
  createClient(provider, {
    storageKey: `${authStorageKey}-passing`,
    autoRefreshToken: false,
    persistSession: false,
  })

type ClientOptions = ConstructorParameters<typeof GoTrueClient>[0]

/** A client must not read the URL: fragments carry share keys here, and the confirmation page reads its own fragment. */
const createClient = ({ url, publishableKey }: AuthProviderConfig, options: ClientOptions): GoTrueClient =>
  new GoTrueClient({
    url,
    headers: { apikey: publishableKey },
    fetch: fetchWithoutRedirects,
    detectSessionInUrl: false,
    flowType: 'implicit',
    ...options,
  })
