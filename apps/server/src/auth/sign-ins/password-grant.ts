import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { AuthProvider } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { isConfirmed } from '../users/new-user.ts'
import { checkDerived, readIdentifier } from '../users/newcomers.ts'
import type { UserRecord } from '../users/users.store.ts'
import { refuseBanned } from './sign-ins.ts'

interface Parts
  extends Pick<
    ProviderParts,
    'stores' | 'oneTimeTokens' | 'hashes' | 'signIns' | 'settings' | 'passwordGuard' | 'origins' | 'now'
  > {
  /** Asks a user to confirm an address that no mail has shown to be theirs. */
  readonly requestProof: (user: UserRecord) => Promise<void>
}

/** Signs in by password. Nobody learns anything of an account before they have shown its secret. */
export function createPasswordGrant(parts: Parts): AuthProvider['passwordGrant'] {
  const { stores, oneTimeTokens, hashes, signIns, settings, passwordGuard, origins, requestProof, now } = parts
  return async ({ credential, policy, origin, ...named }) => {
    const identifier = readIdentifier(named)
    if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
    if (settings.strict) checkDerived(credential)
    const user = await stores.users.findBy(identifier)
    const { address } = origin
    const pending = user && !isConfirmed(user, identifier) ? await oneTimeTokens.pendingCredentials(user.id) : []
    const stored = pending[0] ?? user?.password_hash ?? null
    const matches = await passwordGuard.check({ identifier, address, userId: user?.id ?? null }, () =>
      hashes.matches(stored, credential, { queue: 'sign-in', address }),
    )
    if (!user || !matches) throw refuseAuth('invalid_credentials')
    refuseBanned(user, now())
    if (!isConfirmed(user, identifier)) {
      throw refuseAuth('email' in identifier ? 'email_not_confirmed' : 'phone_not_confirmed')
    }
    const session = await signIns.start(user, { method: 'password', policy, origin })
    const owesFactor = session.user.factors?.some(({ status }) => status === 'verified')
    if (!owesFactor) await origins.add(user.id, address)
    await requestProof(user)
    return session
  }
}
