import { authError } from '../protocol/auth-error.ts'
import type { AuthProvider } from '../provider.ts'
import type { ProviderDeps } from '../provider-deps.ts'
import { isConfirmed } from '../users/new-user.ts'
import { parseIdentifier, validateDerivedSecret } from '../users/user-input.ts'
import type { UserRecord } from '../users/users.store.ts'
import { requireNotBanned } from './auth-sessions.ts'

interface PasswordGrantDeps extends ProviderDeps {
  /** Emails a link to a user whose email address is not verified. */
  readonly requestEmailVerification: (user: UserRecord) => Promise<void>
}

/** Signs in by password. Errors reveal nothing about an account before its secret has matched. */
export function createPasswordGrant(deps: PasswordGrantDeps): AuthProvider['passwordGrant'] {
  const {
    stores,
    oneTimeTokens,
    hashes,
    authSessions,
    settings,
    passwordGuard,
    knownOrigins,
    requestEmailVerification,
    now,
  } = deps
  return async ({ credential, sessionLifetime, origin, ...named }) => {
    const identifier = parseIdentifier(named)
    if (!identifier) throw authError('validation_failed', { text: 'missing email or phone' })
    if (settings.strict) validateDerivedSecret(credential)
    const user = await stores.users.findBy(identifier)
    const { address } = origin
    const pending = user && !isConfirmed(user, identifier) ? await oneTimeTokens.pendingCredentials(user.id) : []
    const stored = pending[0] ?? user?.password_hash ?? null
    const matches = await passwordGuard.check({ identifier, address, userId: user?.id ?? null }, () =>
      hashes.matches(stored, credential, { queue: 'sign-in', address }),
    )
    if (!user || !matches) throw authError('invalid_credentials')
    requireNotBanned(user, now())
    if (!isConfirmed(user, identifier)) {
      throw authError('email' in identifier ? 'email_not_confirmed' : 'phone_not_confirmed')
    }
    const session = await authSessions.start(user, { method: 'password', sessionLifetime, origin })
    const needsMfa = session.user.factors?.some(({ status }) => status === 'verified')
    if (!needsMfa) await knownOrigins.add(user.id, address)
    await requestEmailVerification(user)
    return session
  }
}
