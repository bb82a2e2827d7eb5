import { createCaller } from '@sallyport/client/call'
import type { LyingServer } from '@sallyport/client/testing/lying-server/server'
import { toBase64url } from '@sallyport/crypto'
import { GoTrueClient } from '@supabase/auth-js'
import type { EnterDeps } from '#/accounts/enter.ts'
import { createPolicyKeeper } from '#/accounts/policy-keeper.ts'
import { createAuth } from '#/api/auth.ts'
import { createSignInStorage } from '#/api/sign-in-storage.ts'
import { authStorageKey } from '#/api/stored-sign-in.ts'
import { createKeyRing } from '#/keys/key-ring.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/**
 * Stretching without its costs, which are constants of the client and none of the server's answers: the same inputs in,
 * secrets of the same form out.
 */
async function stretch(...parts: readonly (string | Uint8Array | number)[]): Promise<Uint8Array<ArrayBuffer>> {
  const input = parts.map((part) => (typeof part === 'object' ? toBase64url(part) : String(part))).join('|')
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(input)))
}

export const createProvider = ({ fetch, origin }: LyingServer, storage = createMemoryStorage()) =>
  new GoTrueClient({
    url: `${origin}/auth/v1`,
    fetch,
    storage: createSignInStorage(storage),
    storageKey: authStorageKey,
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })

/** A browser of its own, with the real account logic of the page, at a server that may lie. */
export function openBrowser(server: LyingServer) {
  const { fetch, origin: baseUrl } = server
  const storage = createMemoryStorage()
  const local = createMemoryStorage()
  const wrapSecrets: Uint8Array[] = []
  const channel = new BroadcastChannel(`lying-server-${crypto.randomUUID()}`)
  const now = () => Date.now()
  const auth = createAuth({
    loadClient: async () => createProvider(server, local),
    storage: local,
    page: new EventTarget(),
    now,
  })
  const call = createCaller({ baseUrl, fetch, accessToken: auth.accessToken })
  const deps: EnterDeps = {
    call,
    auth,
    keyRing: createKeyRing({ storage, channel }),
    policy: createPolicyKeeper({ storage: local, now }),
    storage: local,
    async deriveSecrets({ password, salt, profile }) {
      const wrapSecret = await stretch('wrap', password, salt, profile)
      wrapSecrets.push(wrapSecret)
      return { credential: `Zk${profile}.${toBase64url(await stretch('auth', password, salt, profile))}`, wrapSecret }
    },
    deriveMasterKey: ({ password, userId }) => stretch('master', password, userId),
  }
  return { deps, call, wrapSecrets, close: () => channel.close() }
}
