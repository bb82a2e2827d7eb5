import { signInHistoryLimits } from '@sallyport/contract/auth-sessions'
import { authError } from './protocol/auth-error.ts'
import type { AuthProvider } from './provider.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { parseIdentifier, validateCredential } from './users/user-input.ts'
import type { UserRecord } from './users/users.store.ts'

/** The part of `AuthProvider` that manages users and auth sessions; signing in is implemented elsewhere. */
export function createUserManagement(
  deps: ProviderDeps,
): Omit<AuthProvider, 'findAccount' | 'passwordGrant' | 'reauthenticate' | 'isRecentlyAuthenticated'> {
  const { stores, registrations, userChanges, oneTimeTokens, authSessions, settings, toAuthUser, securityLog, now } =
    deps
  const { users } = stores

  const toAuthUserOrNull = async (user: UserRecord | null) =>
    user === null || user.deleted_at !== null ? null : toAuthUser(user)

  return {
    async createUser(input) {
      return toAuthUser(await registrations.create(input))
    },

    async createSignUpLink({ email, credential, offerId, address }) {
      const identifier = parseIdentifier({ email })
      if (!identifier) throw authError('validation_failed', { text: 'missing email or phone' })
      validateCredential(credential, settings.strict)
      const registered = await registrations.register({ identifier, credential, offerId, address })
      if (!registered) throw authError('user_already_exists')
      return { user: await toAuthUser(registered.user), tokenHash: registered.issued.token }
    },

    async createRecoveryLink(email) {
      const identifier = parseIdentifier({ email })
      const user = identifier && (await users.findBy(identifier))
      if (!user?.email) return null
      const { token } = await oneTimeTokens.issue({ userId: user.id, kind: 'recovery', relatesTo: user.email })
      await users.update(user.id, { recovery_sent_at: now() })
      return token
    },

    async updateUser(userId, change) {
      return toAuthUser(await userChanges.change(userId, change))
    },

    async findUser(userId) {
      return toAuthUserOrNull(await users.find(userId))
    },

    async findBy(input) {
      const identifier = parseIdentifier(input)
      return toAuthUserOrNull(identifier && (await users.findBy(identifier)))
    },

    listAuthSessions: authSessions.list,
    endOtherAuthSessions: authSessions.endOthers,

    async listPastSignIns(userId) {
      const rows = await stores.signInHistory.list(userId, now() - signInHistoryLimits.retentionMs)
      return rows.map(({ id, user_agent, signed_in_at }) => ({
        id,
        userAgent: user_agent ?? '',
        signedInAt: signed_in_at,
      }))
    },

    async endAuthSessions(userId, authSessionId) {
      await (authSessionId === undefined ? authSessions.endAll(userId) : authSessions.end(userId, authSessionId))
    },

    async setBan(userId, until) {
      await users.setBan(userId, until)
      if (until !== null) await authSessions.endAll(userId)
      securityLog.record(until === null ? 'account.unbanned' : 'account.banned', { userId })
    },

    async deleteUser(userId) {
      await users.remove(userId)
      await authSessions.endAll(userId)
    },
  }
}
