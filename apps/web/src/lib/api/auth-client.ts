import { serverClock } from '@sallyport/browser/server-clock'
import { GoTrueClient } from '@supabase/auth-js'
import { createAuthSessionStorage } from './auth-session-storage.ts'
import { authStorageKey, linkStorageKey } from './stored-auth-session.ts'

interface AuthProviderConfig {
  readonly url: string
  readonly publishableKey: string
}

/**
 * Rejects redirects: following one would forward a credential to any host the response names. For a refresh it rejects a
 * response that says nothing about the auth session, which the client would delete; it retries after a network error.
 */
const sendAuthRequest: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  const isRefresh = String(input).includes('grant_type=refresh_token')
  if (isRefresh && !response.ok && !isAuthError(response)) throw new TypeError(`HTTP ${response.status}`)
  return response
}

/** False for a rate limit and for the page of a proxy. */
const isAuthError = ({ status, headers }: Response): boolean =>
  status !== 429 && (headers.get('Content-Type') ?? '').includes('json')

/** Creates the provider's own client, which persists the auth session of this browser. */
export const createAuthClient = (provider: AuthProviderConfig): GoTrueClient =>
  createClient(provider, {
    storage: createAuthSessionStorage(localStorage, () => Date.now() - serverClock.now()),
    storageKey: authStorageKey,
    autoRefreshToken: true,
    persistSession: true,
  })

/**
 * Creates a client for an email link, which does not touch this browser's auth session. With a storage it persists that
 * of the link there.
 */
export const createPassingClient = (provider: AuthProviderConfig, storage?: Storage): GoTrueClient =>
  createClient(provider, {
    storageKey: linkStorageKey,
    autoRefreshToken: false,
    persistSession: storage !== undefined,
    ...(storage && { storage }),
  })

type ClientOptions = ConstructorParameters<typeof GoTrueClient>[0]

/** A client must not read the URL: fragments carry share keys here, and the confirmation page reads its own fragment. */
const createClient = ({ url, publishableKey }: AuthProviderConfig, options: ClientOptions): GoTrueClient =>
  new GoTrueClient({
    url,
    headers: { apikey: publishableKey },
    fetch: sendAuthRequest,
    detectSessionInUrl: false,
    flowType: 'implicit',
    ...options,
  })
