import { randomUUIDv7 } from 'node:crypto'
import type { AuthSession, PublicKey, SignInPolicy } from '@sallyport/contract/auth'
import type { Bus } from '../bus/bus.ts'
import { type Account, bearerToken } from '../http/caller.ts'
import type { Attempts } from '../limits/attempts.ts'
import { createAccessTokens } from './access-tokens.ts'
import { refuseAuth } from './auth-refusal.ts'
import { createCredentialHashes } from './credential-hash.ts'
import { createLiveSignIns } from './live-sign-ins.ts'
import { checkCredential, checkDerived, printMetadata, readIdentifier } from './newcomers.ts'
import { presentUser } from './present-user.ts'
import type { AuthProvider, Newcomer, Origin } from './provider.ts'
import { countRefresh, countRegistration, countSignIn } from './sign-in-attempts.ts'
import type { SignInsStore } from './sign-ins.store.ts'
import { createSignIns, refuseBanned } from './sign-ins.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Identifier, UserRecord, UsersStore } from './users.store.ts'

interface Parts {
  readonly users: UsersStore
  readonly signIns: SignInsStore
  readonly keys: SigningKeys
  /** Where the provider answers, as tokens name it: `https://host/auth/v1`. */
  readonly issuer: string
  readonly attempts: Attempts
  readonly bus: Bus
  readonly now: () => number
  /** Takes nothing but derived login secrets. Off is for foreign clients. */
  readonly strict: boolean
}

interface SigningUp extends Newcomer {
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

/** Users, credentials and sign-ins in our own database. Addresses count as confirmed from the start, as no mail goes out. */
export function createEmbeddedProvider(parts: Parts): EmbeddedProvider {
  const { users, attempts, now, strict } = parts
  const hashes = createCredentialHashes()
  const tokens = createAccessTokens(parts)
  const live = createLiveSignIns(parts)
  const signIns = createSignIns({ ...parts, tokens })

  async function addUser(newcomer: Newcomer, metadata: Readonly<Record<string, unknown>>): Promise<UserRecord> {
    const identifier = readIdentifier(newcomer)
    if (!identifier) throw refuseAuth('validation_failed', { text: 'missing email or phone' })
    checkCredential(newcomer.credential, strict)
    const user = newUser(identifier, now())
    const made = {
      ...user,
      user_metadata: printMetadata(metadata),
      password_hash: await hashes.make(newcomer.credential),
    }
    if (!(await users.add(made))) throw refuseAuth('user_already_exists')
    return made
  }

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
      if (strict) checkDerived(credential)
      const forgive = await countSignIn(attempts, identifier, origin.address)
      const user = await users.findBy(identifier)
      const matches = await hashes.matches(user?.password_hash ?? null, credential)
      if (!user || !matches) throw refuseAuth('invalid_credentials')
      await forgive()
      // Told only to somebody who knows the secret; anybody else learns nothing of the account.
      refuseBanned(user, now())
      refuseUnconfirmed(user, identifier)
      return signIns.start(user, policy, origin)
    },

    async createUser(newcomer) {
      return presentUser(await addUser(newcomer, {}))
    },

    async signUp({ metadata, policy, origin, ...newcomer }) {
      await countRegistration(attempts, origin.address)
      const user = await addUser(newcomer, metadata)
      return signIns.start(user, policy, origin)
    },

    async refresh(refreshToken, origin) {
      await countRefresh(attempts, origin.address)
      return signIns.refresh(refreshToken)
    },

    async signOut({ userId, signInId }, scope) {
      if (scope === 'local') return signIns.end(userId, signInId)
      if (scope === 'others') return signIns.endOthers(userId, signInId)
      return signIns.endAll(userId)
    },

    async findUser(userId) {
      const user = await users.find(userId)
      return user && presentUser(user)
    },

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

function newUser(identifier: Identifier, now: number): UserRecord {
  const kind = 'email' in identifier ? 'email' : 'phone'
  return {
    id: randomUUIDv7(),
    email: 'email' in identifier ? identifier.email : null,
    phone: 'phone' in identifier ? identifier.phone : null,
    email_confirmed_at: kind === 'email' ? now : null,
    phone_confirmed_at: kind === 'phone' ? now : null,
    password_hash: null,
    app_metadata: JSON.stringify({ provider: kind, providers: [kind] }),
    user_metadata: '{}',
    banned_until: null,
    last_sign_in_at: null,
    created_at: now,
    updated_at: now,
  }
}

function refuseUnconfirmed(user: UserRecord, identifier: Identifier): void {
  if ('email' in identifier && user.email_confirmed_at === null) throw refuseAuth('email_not_confirmed')
  if ('phone' in identifier && user.phone_confirmed_at === null) throw refuseAuth('phone_not_confirmed')
}
