import { type AccessToken, type Call, type Connection, createCaller } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import type { QueryClient } from '@tanstack/react-query'
import type { Accounts } from '#/accounts/accounts-context.ts'
import type { EnterDeps } from '#/accounts/enter.ts'
import { createGate } from '#/accounts/entrance.ts'
import { createPolicyKeeper, type PolicyKeeper } from '#/accounts/policy-keeper.ts'
import { configQuery } from '#/api/account.queries.ts'
import { createAuth } from '#/api/auth.ts'
import { createQueryClient } from '#/api/query-client.ts'
import { handOverChannel } from '#/keys/hand-over.ts'
import { createKeyRing, type KeyRing } from '#/keys/key-ring.ts'

/** What the pages of an account stand on; lives as long as the page is open. */
export interface Services {
  readonly api: { readonly call: Call }
  /** For whatever sends its requests itself. */
  readonly connection: Connection
  readonly queries: QueryClient
  readonly accounts: Accounts
  readonly policy: PolicyKeeper
  readonly keyRing: KeyRing
}

/** The one place where the parts of the page are handed to each other. */
export function createServices(): Services {
  const now = () => Date.now()
  const queries = createQueryClient()
  const anonymous = createCaller({ baseUrl: '', fetch: sendRequest, accessToken: async () => null })

  const auth = createAuth({
    storage: localStorage,
    page: globalThis,
    now,
    async loadClient() {
      const [{ createAuthClient }, { auth: provider }] = await Promise.all([
        import('#/api/auth-client.ts'),
        queries.ensureQueryData(configQuery(anonymous)),
      ])
      return createAuthClient({ ...provider, url: new URL(provider.url, location.href).href })
    },
  })

  const accessToken: AccessToken = async (turnedDown) => {
    const token = await auth.accessToken(turnedDown)
    if (token === null) void gate.expire()
    return token
  }
  const connection: Connection = { baseUrl: '', fetch: sendRequest, accessToken }
  const call = endingSignIns(createCaller(connection), () => void gate.expire())

  const keyRing = createKeyRing({ storage: sessionStorage, channel: new BroadcastChannel(handOverChannel) })
  const policy = createPolicyKeeper({ storage: localStorage, now })

  const gate = createGate({
    auth,
    keyRing,
    policy,
    onLeave: () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' }),
  })

  const enter = {
    call,
    auth,
    keyRing,
    policy,
    ...derivations,
    storage: localStorage,
  }
  return { api: { call }, connection, queries, accounts: { gate, enter }, policy, keyRing }
}

const loadDerive = () => import('#/transfers/derive.ts')

const derivations: Pick<EnterDeps, 'deriveSecrets' | 'deriveMasterKey'> = {
  deriveSecrets: async (task) => (await loadDerive()).deriveLoginSecretsApart(task),
  deriveMasterKey: async (task) => (await loadDerive()).deriveMasterKeyApart(task),
}

const sendRequest: typeof fetch = (input, init) => fetch(input, init)

/** A refusal for want of a sign-in ends the one that is shown, wherever it was met. */
function endingSignIns(call: Call, end: () => void): Call {
  return async (endpoint, sent, options) => {
    try {
      return await call(endpoint, sent, options)
    } catch (error) {
      if (endpoint.access === 'account' && error instanceof ApiError && error.status === 401) end()
      throw error
    }
  }
}
