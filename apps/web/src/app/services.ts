import { loadCode } from '@sallyport/browser/load-code'
import { fetchTimed, serverClock } from '@sallyport/browser/server-clock'
import { type Call, type Connection, createCaller, type GetAccessToken } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { isUnanswered } from '@sallyport/client/connectivity'
import { createConnectivity, type MonitoredConnectivity } from '@sallyport/client/create-connectivity'
import { ApiError } from '@sallyport/client/errors'
import type { QueryClient } from '@tanstack/react-query'
import type { AccountsContextValue } from '#/features/account/accounts-context.ts'
import { createAuthController } from '#/features/account/sign-in/auth-controller.ts'
import {
  createSessionLifetimeStore,
  type SessionLifetimeStore,
} from '#/features/account/sign-in/session-lifetime-store.ts'
import type { SignInDeps } from '#/features/account/sign-in/sign-in.ts'
import { createUpgradeOfferStore } from '#/features/account/sign-up/upgrade-offer-store.ts'
import type { MfaChallengeDeps } from '#/features/account/two-factor/mfa-challenge.tsx'
import { createPortalEntry, type PortalEntry } from '#/features/portals/portal-entry.ts'
import { createSessionController, type SessionController } from '#/features/sessions/room/session-controller.ts'
import type { ApiContextValue } from '#/lib/api/api-context.ts'
import { createAuth } from '#/lib/api/auth.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { createQueryClient } from '#/lib/api/query-client.ts'
import { watchNetwork } from '#/lib/api/watch-network.ts'
import { deleteStoredDevices } from '#/lib/keys/device-store.ts'
import { createKeyRing, type KeyRing, type RememberedDevice } from '#/lib/keys/key-ring.ts'
import { keyExchangeChannel } from '#/lib/keys/tab-key-exchange.ts'

/** The services of the app; they live as long as the page. */
export interface Services {
  readonly api: ApiContextValue
  /** For modules that send their requests themselves. */
  readonly connection: Connection
  readonly queries: QueryClient
  readonly accounts: AccountsContextValue
  readonly sessionLifetime: SessionLifetimeStore
  readonly keyRing: KeyRing
  readonly sessions: SessionController
  readonly portals: PortalEntry
  readonly connectivity: MonitoredConnectivity
  /** Handles an API error of modules that send their requests themselves like one of any other call. */
  readonly handleApiError: (error: ApiError) => void
}

/** The composition root of the app. `joinLink` is the portal link that opened this page. */
export function createServices(joinLink: string | null): Services {
  const anonymous = createCaller({ baseUrl: '', fetch: fetchTimed, getAccessToken: async () => null })
  const connectivity = createConnectivity({ call: anonymous })
  watchNetwork(connectivity)
  const queries = createQueryClient(connectivity)

  async function loadAuthProvider() {
    const [authClients, { auth: provider }] = await Promise.all([
      loadCode(() => import('#/lib/api/auth-client.ts')),
      queries.ensureQueryData(configQuery(anonymous)),
    ])
    return { authClients, provider: { ...provider, url: new URL(provider.url, location.href).href } }
  }

  const auth = createAuth({
    storage: localStorage,
    page: globalThis,
    clock: systemClock,
    async loadClient() {
      const { authClients, provider } = await loadAuthProvider()
      return authClients.createAuthClient(provider)
    },
  })

  async function createEphemeralAuthClient(storage?: Storage) {
    const { authClients, provider } = await loadAuthProvider()
    return authClients.createPassingClient(provider, storage)
  }

  const getAccessToken: GetAccessToken = async (rejectedToken) => {
    const token = await auth.accessToken(rejectedToken)
    if (token === null) void authController.expire()
    return token
  }
  const connection: Connection = { baseUrl: '', fetch: fetchTimed, getAccessToken, connectivity }
  /** Only the server's own codes end the auth session, not a 401 of a proxy; a missing licence shows the upgrade offer. */
  function handleApiError({ code, serverMessage }: ApiError): void {
    if (code === 'NO_TOKEN' || code === 'SESSION_EXPIRED') void authController.expire()
    if (code !== 'UPGRADE_REQUIRED' || authController.upgradeOffer.current()?.isPersistent) return
    authController.offerUpgrade({ isPersistent: true, isTrialOver: false, message: serverMessage })
  }
  const call = reportingErrors(createCaller(connection), {
    onApiError: handleApiError,
    onUnanswered: () => void connectivity.verify(),
  })

  const rememberedDevice: RememberedDevice = {
    open: async (userId, options) =>
      (await loadRememberedDevice()).openDeviceWhenAnswered(
        { call, connectivity, clock: systemClock },
        userId,
        options,
      ),
    forget: deleteStoredDevices,
  }
  const keyRing = createKeyRing({
    storage: sessionStorage,
    channel: new BroadcastChannel(keyExchangeChannel),
    device: rememberedDevice,
  })
  const sessionLifetime = createSessionLifetimeStore({ storage: localStorage, ...serverClock })
  const sessions = createSessionController({
    call,
    connection,
    queries,
    storages: { local: localStorage, tab: sessionStorage },
    origin: location.origin,
    openChannel: () => new BroadcastChannel('sallyport-sessions'),
  })

  const authController = createAuthController({
    auth,
    keyRing,
    sessionLifetime,
    upgradeOffers: createUpgradeOfferStore(localStorage),
    onAccountClosed() {
      void sessions.leave()
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
      void loadCode(() => import('@sallyport/transfers/browser/downloads/private-files')).then(
        ({ removePrivateFiles }) => removePrivateFiles({ all: true }),
      )
    },
    async onSignOut() {
      await Promise.allSettled([
        loadCode(() => import('@sallyport/transfers/browser/uploads/upload-store')).then(({ deleteUploadStore }) =>
          deleteUploadStore(),
        ),
        loadCode(() => import('#/features/portals/portal-store.ts')).then(({ deletePortalData }) => deletePortalData()),
      ])
    },
  })

  keyRing.state.subscribe(() => {
    const ring = keyRing.state.current()
    const keys = ring.phase === 'open' && sessionLifetime.isRemembered() ? keyRing.keysOf(ring.userId) : null
    // If this fails, a new tab asks for the password.
    if (keys)
      loadRememberedDevice()
        .then(({ rememberDevice }) => rememberDevice({ call, keyRing, sessionLifetime }, keys))
        .catch(() => undefined)
  })

  const signInDeps = {
    call,
    auth,
    keyRing,
    sessionLifetime,
    ...keyDerivation,
    storage: localStorage,
    clock: systemClock,
  }
  const mfa: MfaChallengeDeps = {
    provider: auth.provider,
    redeemBackupCode: async (code) =>
      (await loadCode(() => import('#/features/account/two-factor/backup-codes.ts'))).redeemBackupCode({
        call,
        auth,
        code,
      }),
  }
  return {
    api: { call, createEphemeralAuthClient },
    connection,
    queries,
    accounts: { authController, signInDeps, mfa },
    sessionLifetime,
    keyRing,
    sessions,
    portals: createPortalEntry(joinLink),
    connectivity,
    handleApiError,
  }
}

const loadRememberedDevice = () => loadCode(() => import('#/lib/keys/remembered-device.ts'))
const loadKdf = () => loadCode(() => import('#/lib/keys/derive-in-worker.ts'))

const keyDerivation: Pick<SignInDeps, 'deriveSecrets' | 'deriveMasterKey'> = {
  deriveSecrets: async (task) => (await loadKdf()).deriveLoginSecretsInWorker(task),
  deriveMasterKey: async (task) => (await loadKdf()).deriveMasterKeyInWorker(task),
}

interface ErrorReports {
  readonly onApiError: (error: ApiError) => void
  /** Called when the server seems to be away. */
  readonly onUnanswered: () => void
}

/** Wraps `call` to report each API error of an authenticated call, and each call without an answer. */
function reportingErrors(call: Call, { onApiError, onUnanswered }: ErrorReports): Call {
  return async (endpoint, sent, options) => {
    try {
      return await call(endpoint, sent, options)
    } catch (error) {
      if (isUnanswered(error)) onUnanswered()
      else if (endpoint.access !== 'anyone' && error instanceof ApiError) onApiError(error)
      throw error
    }
  }
}
