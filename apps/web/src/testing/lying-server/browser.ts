import { createCaller } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { toBase64url } from '@sallyport/crypto'
import type { LyingServer } from '@sallyport/lying-server/server'
import { GoTrueClient } from '@supabase/auth-js'
import { createSessionLifetimeStore } from '#/features/account/sign-in/session-lifetime-store.ts'
import type { SignInDeps } from '#/features/account/sign-in/sign-in.ts'
import { createAuth } from '#/lib/api/auth.ts'
import { createAuthSessionStorage } from '#/lib/api/auth-session-storage.ts'
import { authStorageKey } from '#/lib/api/stored-auth-session.ts'
import { createKeyRing } from '#/lib/keys/key-ring.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/**
 * A cheap KDF with the same inputs and an output of the same form. The real cost parameters are constants of the client
 * and do not depend on the server.
 */
async function cheapKdf(...parts: readonly (string | Uint8Array | number)[]): Promise<Uint8Array<ArrayBuffer>> {
  const input = parts.map((part) => (typeof part === 'object' ? toBase64url(part) : String(part))).join('|')
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(input)))
}

export const createAuthProvider = ({ fetch, origin }: LyingServer, storage = createMemoryStorage()) =>
  new GoTrueClient({
    url: `${origin}/auth/v1`,
    fetch,
    storage: createAuthSessionStorage(storage),
    storageKey: authStorageKey,
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })

/** A separate browser with the real account logic of the app, connected to a server that may lie. */
export function openBrowser(server: LyingServer) {
  const { fetch, origin: baseUrl } = server
  const storage = createMemoryStorage()
  const local = createMemoryStorage()
  const wrapSecrets: Uint8Array[] = []
  const channel = new BroadcastChannel(`lying-server-${crypto.randomUUID()}`)
  const now = () => Date.now()
  const auth = createAuth({
    loadClient: async () => createAuthProvider(server, local),
    storage: local,
    page: new EventTarget(),
    clock: { ...systemClock, now },
  })
  const call = createCaller({ baseUrl, fetch, getAccessToken: auth.accessToken })
  const deps: SignInDeps = {
    call,
    auth,
    keyRing: createKeyRing({ storage, channel }),
    sessionLifetime: createSessionLifetimeStore({ storage: local, now }),
    storage: local,
    clock: { now, wait: async () => undefined },
    async deriveSecrets({ password, salt, profile }) {
      const wrapSecret = await cheapKdf('wrap', password, salt, profile)
      wrapSecrets.push(wrapSecret)
      return { credential: `Zk${profile}.${toBase64url(await cheapKdf('auth', password, salt, profile))}`, wrapSecret }
    },
    deriveMasterKey: ({ password, userId }) => cheapKdf('master', password, userId),
  }
  return { deps, call, wrapSecrets, close: () => channel.close() }
}
