import { authSessionLimits } from '@sallyport/contract/limits'
import { authError } from '../protocol/auth-error.ts'
import type { ReauthenticateInput } from '../provider.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import type { Identifier, UsersStore } from '../users/users.store.ts'
import type { AuthSessionsStore } from './auth-sessions.store.ts'
import type { CredentialHashes } from './credential-hash.ts'
import type { PasswordGuard } from './password-guard.ts'

interface ReauthenticationDeps {
  readonly users: Pick<UsersStore, 'find'>
  readonly authSessions: Pick<AuthSessionsStore, 'authenticatedAt' | 'markAuthenticated'>
  readonly hashes: Pick<CredentialHashes, 'matches'>
  readonly settings: Pick<ProviderSettings, 'strict'>
  readonly passwordGuard: PasswordGuard
  readonly now: () => number
}

/** True when the authentication is recent enough for security-sensitive changes. */
export const isRecentAuthentication = (authenticatedAt: number | null, now: number): boolean =>
  authenticatedAt !== null && now - authenticatedAt <= authSessionLimits.proofMs

/**
 * Reauthentication before sensitive changes: an access token is valid for an hour, but a password or MFA code counts as
 * recent only for minutes. Third-party clients, which do not support this step, are exempt.
 */
export function createReauthentication({
  users,
  authSessions,
  hashes,
  settings,
  passwordGuard,
  now,
}: ReauthenticationDeps) {
  async function isRecentlyAuthenticated(authSessionId: string): Promise<boolean> {
    return !settings.strict || isRecentAuthentication(await authSessions.authenticatedAt(authSessionId), now())
  }

  return {
    isRecentlyAuthenticated,

    async requireRecentAuthentication(authSessionId: string): Promise<void> {
      if (!(await isRecentlyAuthenticated(authSessionId))) {
        throw authError('reauthentication_needed', { text: 'Confirm your current password first' })
      }
    },

    async reauthenticate({ userId, authSessionId, credential, origin }: ReauthenticateInput): Promise<void> {
      const user = await users.find(userId)
      if (!user) throw authError('session_not_found')
      const identifier: Identifier = user.email === null ? { phone: user.phone ?? '' } : { email: user.email }
      const { address } = origin
      const isMatch = await passwordGuard.check({ identifier: identifier, address, userId }, () =>
        hashes.matches(user.password_hash, credential, { queue: 'sign-in', address, userId }),
      )
      if (!isMatch) throw authError('current_password_invalid')
      await authSessions.markAuthenticated(authSessionId, now())
    },
  }
}

export type ReauthenticationService = ReturnType<typeof createReauthentication>
