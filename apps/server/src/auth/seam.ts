import { refuseAuth } from './protocol/auth-refusal.ts'
import type { AuthProvider } from './provider.ts'
import type { ProviderParts } from './provider-parts.ts'
import { checkCredential, readIdentifier } from './users/newcomers.ts'
import type { UserRecord } from './users/users.store.ts'

type Parts = Pick<
  ProviderParts,
  'stores' | 'registrations' | 'changes' | 'oneTimeTokens' | 'signIns' | 'settings' | 'present' | 'now'
>

/** What the server itself asks of the embedded provider, beside signing in. */
export function createSeam(
  parts: Parts,
): Omit<AuthProvider, 'findAccount' | 'passwordGrant' | 'reauthenticate' | 'hasFreshProof'> {
  const { stores, registrations, changes, oneTimeTokens, signIns, settings, present, now } = parts
  const { users } = stores

  const presentOrNull = async (user: UserRecord | null) =>
    user === null || user.deleted_at !== null ? null : present(user)

  return {
    async createUser(newcomer) {
      return present(await registrations.create(newcomer))
    },

    async signUpLink({ email, credential, offerId, address }) {
      const identifier = readIdentifier({ email })
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      checkCredential(credential, settings.strict)
      const registered = await registrations.register({ identifier, credential, offerId, address })
      if (!registered) throw refuseAuth('user_already_exists')
      return { user: await present(registered.user), tokenHash: registered.issued.token }
    },

    async recoveryLink(email) {
      const identifier = readIdentifier({ email })
      const user = identifier && (await users.findBy(identifier))
      if (!user?.email) return null
      const { token } = await oneTimeTokens.issue({ userId: user.id, kind: 'recovery', relatesTo: user.email })
      await users.update(user.id, { recovery_sent_at: now() })
      return token
    },

    async updateUser(userId, change) {
      return present(await changes.change(userId, change))
    },

    async findUser(userId) {
      return presentOrNull(await users.find(userId))
    },

    async findBy(named) {
      const identifier = readIdentifier(named)
      return presentOrNull(identifier && (await users.findBy(identifier)))
    },

    listSignIns: signIns.list,
    endOtherSignIns: signIns.endOthers,

    async endSignIns(userId, signInId) {
      await (signInId === undefined ? signIns.endAll(userId) : signIns.end(userId, signInId))
    },

    async setBan(userId, until) {
      await users.setBan(userId, until)
      if (until !== null) await signIns.endAll(userId)
    },

    async deleteUser(userId) {
      await users.remove(userId)
      await signIns.endAll(userId)
    },
  }
}
