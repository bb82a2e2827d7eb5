import { accounts as contract } from '@sallyport/contract/accounts'
import type { AuthUser } from '@sallyport/contract/auth'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import type { AuthProvider } from '../auth/provider.ts'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import type { Licences } from '../licences/licences.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { AccountsStore } from './accounts.store.ts'
import { isOffered, presentSettings } from './expiration.rules.ts'
import { readIdentifier } from './identifier.ts'
import { createLogin } from './login.service.ts'
import type { Registration } from './registration.service.ts'
import type { Salts } from './salts.ts'

interface Deps {
  readonly provider: AuthProvider
  readonly accounts: AccountsStore
  readonly salts: Salts
  readonly licences: Licences
  readonly registration: Registration
  readonly attempts: Attempts
  readonly revealUnknown: boolean
  readonly onSignIn: (user: AuthUser) => Promise<void>
  readonly strict: boolean
  readonly now: () => number
}

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mountSigningIn(app, deps)
  mountProfile(app, deps)
}

function mountSigningIn(app: FastifyInstance, deps: Deps): void {
  const { attempts, salts, registration } = deps
  const login = createLogin({ ...deps, licenceOf: deps.licences.licenceOf })

  mount(app, contract.prelogin, async ({ body, address }) => {
    const { allowed, retryAfterSeconds } = await attempts.allow(`prelogin|${address}`, rateLimits.preloginPerAddress)
    if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
    return salts.find(readIdentifier(body))
  })

  mount(app, contract.login, async ({ body, headers, address, userAgent }) => {
    const { email, phone, password: credential } = body
    const policy = headers['x-session-policy'] ?? 'short'
    return login.signIn({ email, phone, credential, policy, origin: { address, userAgent } })
  })

  mount(app, contract.register, async ({ body, address }) => {
    const { email, password: credential, licenseKey: licenceKey } = body
    return registration.register({ email, credential, licenceKey, address })
  })
}

function mountProfile(app: FastifyInstance, { provider, accounts, licences }: Deps): void {
  mount(app, contract.userInfo, async ({ caller }) => {
    const { userId } = caller.account
    const user = await provider.findUser(userId)
    if (!user) throw refuse('SESSION_EXPIRED')
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

  mount(app, contract.settings, async ({ caller }) =>
    presentSettings(await accounts.expirationMinutes(caller.account.userId)),
  )

  mount(app, contract.saveSettings, async ({ caller, body }) => {
    const { defaultExpirationMinutes: minutes } = body
    if (!isOffered(minutes)) throw refuse('EXPIRATION_NOT_OFFERED')
    await accounts.saveExpirationMinutes(caller.account.userId, minutes)
    return presentSettings(minutes)
  })
}
