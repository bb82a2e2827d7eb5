import { type AccessToken, type Call, type Connection, createCaller } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import type { QueryClient } from '@tanstack/react-query'
import type { Accounts } from '#/accounts/accounts-context.ts'
import type { EnterDeps } from '#/accounts/enter.ts'
import { createGate } from '#/accounts/entrance.ts'
import { createPolicyKeeper, type PolicyKeeper } from '#/accounts/policy-keeper.ts'
import { createUpgradeKeeper } from '#/accounts/upgrade-keeper.ts'
import type { Api } from '#/api/api-context.ts'
import { createAuth } from '#/api/auth.ts'
import { configQuery } from '#/api/config.query.ts'
import { createQueryClient } from '#/api/query-client.ts'
import { forgetDevices } from '#/keys/device-store.ts'
import { handOverChannel } from '#/keys/hand-over.ts'
import { createKeyRing, type DeviceMemory, type KeyRing } from '#/keys/key-ring.ts'
import type { SecondFactorWays } from '#/second-factor/challenge.tsx'
import { createSessionsKeeper, type SessionsKeeper } from '#/sessions/sessions-keeper.ts'
import { createNetworkLine, type NetworkLine } from '#/transfers/network-line.ts'

/** What the pages of an account stand on; lives as long as the page is open. */
export interface Services {
  readonly api: Api
  /** For whatever sends its requests itself. */
  readonly connection: Connection
  readonly queries: QueryClient
  readonly accounts: Accounts
  readonly policy: PolicyKeeper
  readonly keyRing: KeyRing
  readonly sessions: SessionsKeeper
  readonly line: NetworkLine
  /** Does for a refusal of whatever sends its requests itself what follows one of any other call. */
  readonly followRefusal: (refusal: ApiError) => void
}

/** The one place where the parts of the page are handed to each other. */
export function createServices(): Services {
  const now = () => Date.now()
  const queries = createQueryClient()
  const anonymous = createCaller({ baseUrl: '', fetch: sendRequest, accessToken: async () => null })

  async function loadProvider() {
    const [clients, { auth: provider }] = await Promise.all([
      import('#/api/auth-client.ts'),
      queries.ensureQueryData(configQuery(anonymous)),
    ])
    return { clients, provider: { ...provider, url: new URL(provider.url, location.href).href } }
  }

  const auth = createAuth({
    storage: localStorage,
    page: globalThis,
    now,
    async loadClient() {
      const { clients, provider } = await loadProvider()
      return clients.createAuthClient(provider)
    },
  })

  async function openPassingProvider() {
    const { clients, provider } = await loadProvider()
    return clients.createPassingClient(provider)
  }

  const accessToken: AccessToken = async (turnedDown) => {
    const token = await auth.accessToken(turnedDown)
    if (token === null) void gate.expire()
    return token
  }
  const connection: Connection = { baseUrl: '', fetch: sendRequest, accessToken }
  /** One for want of a sign-in ends the one that is shown, and one for want of a licence offers the plans. */
  function followRefusal({ status, code, message }: ApiError): void {
    if (status === 401) void gate.expire()
    if (code !== 'UPGRADE_REQUIRED' || gate.upgrade.current()?.isPersistent) return
    gate.offerUpgrade({ isPersistent: true, isTrialOver: false, message })
  }
  const call = followingRefusals(createCaller(connection), followRefusal)

  const device: DeviceMemory = {
    open: async (userId) => (await loadDevice()).openDevice(call, userId),
    forget: forgetDevices,
  }
  const keyRing = createKeyRing({ storage: sessionStorage, channel: new BroadcastChannel(handOverChannel), device })
  const policy = createPolicyKeeper({ storage: localStorage, now })
  const sessions = createSessionsKeeper({
    call,
    connection,
    queries,
    places: { local: localStorage, tab: sessionStorage },
    origin: location.origin,
  })

  const gate = createGate({
    auth,
    keyRing,
    policy,
    upgrades: createUpgradeKeeper(localStorage),
    onLeave() {
      void sessions.leave()
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
      void import('#/transfers/private-files.ts').then(({ clearPrivateFiles }) => clearPrivateFiles({ all: true }))
    },
    async onSignOut() {
      await Promise.allSettled([
        import('#/transfers/kept-store.ts').then(({ forgetKeptUploads }) => forgetKeptUploads()),
        import('#/portals/portal-store.ts').then(({ forgetPortals }) => forgetPortals()),
      ])
    },
  })

  keyRing.state.subscribe(() => {
    const ring = keyRing.state.current()
    const keys = ring.phase === 'open' && policy.isRemembered() ? keyRing.keysOf(ring.userId) : null
    // Where it fails, a new tab asks for the password, as everywhere else.
    if (keys)
      loadDevice()
        .then(({ keepDevice }) => keepDevice(call, keys))
        .catch(() => undefined)
  })

  const enter = {
    call,
    auth,
    keyRing,
    policy,
    ...derivations,
    storage: localStorage,
  }
  const secondFactor: SecondFactorWays = {
    provider: auth.provider,
    redeemBackupCode: async (code) =>
      (await import('#/second-factor/backup-codes.ts')).redeemBackupCode({ call, auth, code }),
  }
  return {
    api: { call, openPassingProvider },
    connection,
    queries,
    accounts: { gate, enter, secondFactor },
    policy,
    keyRing,
    sessions,
    line: createNetworkLine(anonymous),
    followRefusal,
  }
}

const loadDevice = () => import('#/keys/remembered-device.ts')
const loadDerive = () => import('#/transfers/derive.ts')

const derivations: Pick<EnterDeps, 'deriveSecrets' | 'deriveMasterKey'> = {
  deriveSecrets: async (task) => (await loadDerive()).deriveLoginSecretsApart(task),
  deriveMasterKey: async (task) => (await loadDerive()).deriveMasterKeyApart(task),
}

const sendRequest: typeof fetch = (input, init) => fetch(input, init)

/** Tells of each refusal of a call that an account makes, wherever it was met. */
function followingRefusals(call: Call, follow: (refusal: ApiError) => void): Call {
  return async (endpoint, sent, options) => {
    try {
      return await call(endpoint, sent, options)
    } catch (error) {
      if (endpoint.access === 'account' && error instanceof ApiError) follow(error)
      throw error
    }
  }
}
