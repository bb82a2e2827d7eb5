import { accounts as contract } from '@sallyport/contract/accounts'
import type { AuthUser } from '@sallyport/contract/auth'
import { formatMinutes } from '@sallyport/contract/formats'
import { expirationLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { mount } from '../../platform/http/mount.ts'
import type { AuthProvider } from '../auth/provider.ts'
import type { AccountsStore } from './accounts.store.ts'
import { readIdentifier } from './identifier.ts'
import type { Licences } from './licences/licences.ts'
import { createLoginService } from './login.service.ts'
import type { RegistrationService } from './registration.service.ts'
import type { Salts } from './salts.ts'

interface AccountRoutesDeps extends Pick<ServerContext, 'rateLimiter' | 'strict' | 'now'> {
  readonly provider: AuthProvider
  readonly accounts: AccountsStore
  readonly salts: Salts
  readonly licences: Licences
  readonly registration: RegistrationService
  readonly revealUnknown: boolean
  readonly onSignIn: (user: AuthUser) => Promise<void>
  /** Throws if the account cannot be deleted by its user. */
  readonly beforeDeletion: (userId: string) => Promise<void>
}

export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  mountLogin(app, deps)
  mountProfile(app, deps)
}

function mountLogin(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { rateLimiter, salts, registration } = deps
  const login = createLoginService({ ...deps, licenceOf: deps.licences.licenceOf })

  mount(app, contract.prelogin, async ({ body, address }) => {
    await rateLimiter.require(`prelogin|${address}`, rateLimits.preloginPerAddress)
    return salts.find(readIdentifier(body))
  })

  mount(app, contract.login, async ({ body, headers, address, userAgent }) => {
    const { email, phone, password: credential } = body
    const sessionLifetime = headers['x-session-policy'] ?? 'short'
    return login.signIn({ email, phone, credential, sessionLifetime, origin: { address, userAgent } })
  })

  mount(app, contract.register, async ({ body, address }) => {
    const { email, password: credential, licenseKey: licenceKey } = body
    return registration.register({ email, credential, licenceKey, address })
  })
}

function mountProfile(app: FastifyInstance, { provider, accounts, licences, beforeDeletion }: AccountRoutesDeps): void {
  mount(app, contract.userInfo, async ({ caller }) => {
    const { userId } = caller.account
    const user = await provider.findUser(userId)
    if (!user) throw apiError('SESSION_EXPIRED')
    const licence = await licences.licenceOf(userId)
    return {
      user: {
        id: userId,
        username: user.email.split('@')[0] || user.phone,
        email: user.email,
        license_type: licence.type,
        license_expires_at: licence.expiresAt,
        storage_used_bytes: await accounts.storageUsed(userId),
        storage_limit_bytes: licence.storageBytes,
      },
    }
  })

  mount(app, contract.remove, async ({ caller }) => {
    const { userId, authSessionId } = caller.account
    if (!(await provider.isRecentlyAuthenticated(authSessionId))) throw apiError('PASSWORD_PROOF_REQUIRED')
    await beforeDeletion(userId)
    await provider.deleteUser(userId)
    return {}
  })

  mount(app, contract.settings, async ({ caller }) =>
    presentSettings(await accounts.expirationMinutes(caller.account.userId)),
  )

  mount(app, contract.saveSettings, async ({ caller, body }) => {
    const { defaultExpirationMinutes: minutes } = body
    if (!isOffered(minutes)) throw apiError('EXPIRATION_NOT_OFFERED')
    await accounts.saveExpirationMinutes(caller.account.userId, minutes)
    return presentSettings(minutes)
  })
}

/** Returns whether the settings page offers this lifetime. */
const isOffered = (minutes: number): boolean => expirationLimits.offeredMinutes.some((offered) => offered === minutes)

/** The response for the settings page: the current lifetime and all offered lifetimes. */
function presentSettings(minutes: number) {
  return {
    current_expiry_minutes: minutes,
    defaultExpirationMinutes: minutes,
    settings: { defaultExpirationMinutes: minutes },
    expiry_options: {
      minutes: expirationLimits.offeredMinutes.map((value) => ({ label: formatMinutes(value), value })),
    },
  }
}
