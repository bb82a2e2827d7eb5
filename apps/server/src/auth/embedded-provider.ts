import type { AuthSession, PublicKey, SignInPolicy } from '@sallyport/contract/auth'
import type { Bus } from '../bus/bus.ts'
import { type Account, bearerToken } from '../http/caller.ts'
import type { Attempts } from '../limits/attempts.ts'
import { createAccessTokens } from './access-tokens.ts'
import type { AuthStores } from './auth.store.ts'
import { refuseAuth } from './auth-refusal.ts'
import { createCredentialHashes } from './credential-hash.ts'
import { createLiveSignIns } from './live-sign-ins.ts'
import { isConfirmed } from './new-user.ts'
import { checkCredential, checkDerived, readIdentifier } from './newcomers.ts'
import { createOneTimeTokens } from './one-time-tokens.ts'
import { presentUser } from './present-user.ts'
import type { AuthProvider, Named, Origin } from './provider.ts'
import type { ProviderSecret } from './provider-secret.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { createRegistrations } from './registrations.ts'
import { countRefresh, countRegistration, countSignIn } from './sign-in-attempts.ts'
import { createSignIns, refuseBanned } from './sign-ins.ts'
import type { SigningKeys } from './signing-keys.ts'
import { createUserChanges } from './user-changes.ts'

interface Parts {
  readonly stores: AuthStores
  readonly keys: SigningKeys
  readonly secret: ProviderSecret
  /** Where the provider answers, as tokens name it: `https://host/auth/v1`. */
  readonly issuer: string
  readonly attempts: Attempts
  readonly bus: Bus
  readonly now: () => number
  readonly settings: ProviderSettings
}

interface SigningUp extends Named {
  readonly credential: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly policy: SignInPolicy
  readonly origin: Origin
}

type SignOutScope = 'global' | 'local' | 'others'

/** What the provider that comes with the server does beyond the seam, for the routes of its protocol. */
export interface EmbeddedProvider extends AuthProvider {
  readonly publicKeys: readonly PublicKey[]
  signUp(newcomer: SigningUp): Promise<AuthSession>
  refresh(refreshToken: string, origin: Origin): Promise<AuthSession>
  /** The account an `Authorization` header stands for; refused in the words of the protocol. */
  identify(authorization: string | undefined): Promise<Account>
  signOut(account: Account, scope: SignOutScope): Promise<void>
}

/** Users, credentials and sign-ins in our own database. */
export function createEmbeddedProvider(parts: Parts): EmbeddedProvider {
  const { stores, attempts, now, settings } = parts
  const { users } = stores
  const hashes = createCredentialHashes()
  const tokens = createAccessTokens(parts)
  const live = createLiveSignIns({ ...parts, signIns: stores.signIns })
  const signIns = createSignIns({ ...parts, users, signIns: stores.signIns, tokens })
  const oneTimeTokens = createOneTimeTokens({ store: stores.oneTimeTokens, secret: parts.secret, now })
  const registrations = createRegistrations({ users, oneTimeTokens, hashes, settings, now })
  const changes = createUserChanges({ users, signIns, oneTimeTokens, hashes, settings, now })

  return {
    publicKeys: parts.keys.published,

    async findAccount(token) {
      const claims = await tokens.check(token)
      return claims && live.find(claims)
    },

    async identify(authorization) {
      const token = bearerToken(authorization)
      if (token === null) throw refuseAuth('no_authorization')
      const claims = await tokens.check(token)
      if (!claims) throw refuseAuth('bad_jwt')
      const account = await live.find(claims)
      if (!account) throw refuseAuth('session_not_found')
      return account
    },

    async passwordGrant({ credential, policy, origin, ...named }) {
      const identifier = readIdentifier(named)
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      if (settings.strict) checkDerived(credential)
      const forgive = await countSignIn(attempts, identifier, origin.address)
      const user = await users.findBy(identifier)
      const pending = user && !isConfirmed(user, identifier) ? await oneTimeTokens.pendingCredentials(user.id) : []
      const matches = await hashes.matches(pending[0] ?? user?.password_hash ?? null, credential)
      if (!user || !matches) throw refuseAuth('invalid_credentials')
      await forgive()
      // Told only to somebody who knows the secret; anybody else learns nothing of the account.
      refuseBanned(user, now())
      if (!isConfirmed(user, identifier)) {
        throw refuseAuth('email' in identifier ? 'email_not_confirmed' : 'phone_not_confirmed')
      }
      return signIns.start(user, policy, origin)
    },

    async createUser(newcomer) {
      return presentUser(await registrations.create(newcomer))
    },

    async signUpLink({ email, credential, offerId }) {
      const identifier = readIdentifier({ email })
      if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
      checkCredential(credential, settings.strict)
      const registered = await registrations.register(identifier, credential, {}, offerId)
      if (!registered) throw refuseAuth('user_already_exists')
      return { user: presentUser(registered.user), tokenHash: registered.issued.token }
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
      return presentUser(await changes.change(userId, change))
    },

    async signUp({ metadata, policy, origin, ...newcomer }) {
      await countRegistration(attempts, origin.address)
      const user = await registrations.create({ ...newcomer, confirmed: true }, metadata)
      return signIns.start(user, policy, origin)
    },

    async refresh(refreshToken, origin) {
      await countRefresh(attempts, origin.address)
      return signIns.refresh(refreshToken)
    },

    async signOut({ userId, signInId }, scope) {
      if (scope === 'local') return signIns.end(userId, signInId)
      if (scope === 'global') return signIns.endAll(userId)
      await signIns.endOthers(userId, signInId)
    },

    async findUser(userId) {
      const user = await users.find(userId)
      return user && presentUser(user)
    },

    async findBy(named) {
      const identifier = readIdentifier(named)
      const user = identifier && (await users.findBy(identifier))
      return user && presentUser(user)
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
