import { refuseAuth } from '../protocol/auth-refusal.ts'
import type { AuthProvider } from '../provider.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { isConfirmed } from '../users/new-user.ts'
import { checkDerived, readIdentifier } from '../users/newcomers.ts'
import { countSignIn } from './sign-in-attempts.ts'
import { refuseBanned } from './sign-ins.ts'

type Parts = Pick<ProviderParts, 'stores' | 'oneTimeTokens' | 'hashes' | 'signIns' | 'settings' | 'attempts' | 'now'>

/** Signs in by password. Nobody learns anything of an account before they have shown its secret. */
export function createPasswordGrant(parts: Parts): AuthProvider['passwordGrant'] {
  const { stores, oneTimeTokens, hashes, signIns, settings, attempts, now } = parts
  return async ({ credential, policy, origin, ...named }) => {
    const identifier = readIdentifier(named)
    if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
    if (settings.strict) checkDerived(credential)
    const forgive = await countSignIn(attempts, identifier, origin.address)
    const user = await stores.users.findBy(identifier)
    const pending = user && !isConfirmed(user, identifier) ? await oneTimeTokens.pendingCredentials(user.id) : []
    const matches = await hashes.matches(pending[0] ?? user?.password_hash ?? null, credential)
    if (!user || !matches) throw refuseAuth('invalid_credentials')
    await forgive()
    refuseBanned(user, now())
    if (!isConfirmed(user, identifier)) {
      throw refuseAuth('email' in identifier ? 'email_not_confirmed' : 'phone_not_confirmed')
    }
    return signIns.start(user, { method: 'password', policy, origin })
  }
}
