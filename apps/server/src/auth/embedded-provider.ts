import type { AuthSession, PublicKey } from '@sallyport/contract/auth'
import type { Logger } from 'pino'
import type { Bus } from '../bus/bus.ts'
import { type Account, bearerToken } from '../http/caller.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { Post } from '../post/post.ts'
import { createSecurityNotices } from '../post/security-notices.ts'
import type { PasswordHashing } from '../resources/password-hashing.ts'
import type { AuthStores } from './auth.store.ts'
import { createBackupCodes } from './factors/backup-codes.ts'
import { createFactors } from './factors/factors.ts'
import { createAddressProof } from './one-time/address-proof.ts'
import { createLinks } from './one-time/links.ts'
import { createMessages, type Messages } from './one-time/messages.ts'
import { createOneTimeTokens, isChallenged } from './one-time/one-time-tokens.ts'
import { createSending } from './one-time/sending.ts'
import { createVerification } from './one-time/verification.ts'
import { refuseAuth } from './protocol/auth-refusal.ts'
import type { AuthProvider, Origin } from './provider.ts'
import type { ProviderParts } from './provider-parts.ts'
import type { ProviderSecret } from './provider-secret.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { createSeam } from './seam.ts'
import { createCredentialHashes } from './sign-ins/credential-hash.ts'
import { createGuessingNotices } from './sign-ins/guessing-notices.ts'
import { createKnownOrigins } from './sign-ins/known-origins.ts'
import { createLiveSignIns } from './sign-ins/live-sign-ins.ts'
import { createPasswordGrant } from './sign-ins/password-grant.ts'
import { createPasswordGuard } from './sign-ins/password-guard.ts'
import { createPasswordProofs } from './sign-ins/password-proofs.ts'
import { createSecondFactorGuard } from './sign-ins/second-factor-guard.ts'
import { countRefresh } from './sign-ins/sign-in-attempts.ts'
import { createSignIns } from './sign-ins/sign-ins.ts'
import { createAccessTokens } from './tokens/access-tokens.ts'
import type { SigningKeys } from './tokens/signing-keys.ts'
import { createAdministration } from './users/administration.ts'
import { createOwnChanges } from './users/own-changes.ts'
import { presentUser } from './users/present-user.ts'
import { createRegistrations } from './users/registrations.ts'
import type { Rename } from './users/rename.ts'
import { createSignUp } from './users/sign-up.ts'
import { createUserChanges } from './users/user-changes.ts'
import type { UserRecord } from './users/users.store.ts'

interface Wishes {
  readonly stores: AuthStores
  readonly keys: SigningKeys
  readonly secret: ProviderSecret
  /** Where the provider answers, as tokens name it: `https://host/auth/v1`. */
  readonly issuer: string
  /** Where people open the page; what is mailed leads there and nowhere else. */
  readonly publicUrl: URL
  readonly post: Post
  readonly attempts: Attempts
  readonly bus: Bus
  readonly now: () => number
  readonly settings: ProviderSettings
  readonly onRename: Rename
  readonly hashing: PasswordHashing
  readonly log: Pick<Logger, 'warn' | 'error'>
}

type SignOutScope = 'global' | 'local' | 'others'

/** What the provider that comes with the server does beyond the seam, for the routes of its protocol. */
export interface Protocol
  extends ReturnType<typeof createSignUp>,
    ReturnType<typeof createSending>,
    ReturnType<typeof createVerification>,
    Pick<AuthProvider, 'passwordGrant' | 'findUser'>,
    Pick<Messages, 'pageFor' | 'ownAddress'> {
  readonly publicKeys: readonly PublicKey[]
  readonly settings: ProviderSettings
  readonly own: ReturnType<typeof createOwnChanges>
  readonly factors: ReturnType<typeof createFactors>
  readonly administration: ReturnType<typeof createAdministration>
  readonly links: ReturnType<typeof createLinks>
  /** Whether a link's token is for the browser that asked for it alone. */
  isChallenged(token: string): boolean
  refresh(refreshToken: string, origin: Origin): Promise<AuthSession>
  /** The account an `Authorization` header stands for; refused in the words of the protocol. */
  identify(authorization: string | undefined): Promise<Account>
  signOut(account: Account, scope: SignOutScope): Promise<void>
}

export interface EmbeddedProvider extends AuthProvider {
  readonly protocol: Protocol
  readonly backupCodes: ReturnType<typeof createBackupCodes>
  /** Whether a mail has shown that the user's address is theirs. */
  hasProvenAddress(userId: string): Promise<boolean>
  /** A key for the provider's admin calls that is good for so long. */
  issueServiceKey(seconds: number): Promise<string>
}

/** Users, credentials and sign-ins in our own database. */
export function createEmbeddedProvider(wishes: Wishes): EmbeddedProvider {
  const { stores, attempts, settings, keys } = wishes
  const { users } = stores
  const present = async (user: UserRecord) => presentUser(user, await stores.factors.list(user.id))
  const hashes = createCredentialHashes(wishes.hashing)
  const tokens = createAccessTokens({ ...wishes, ...settings })
  const live = createLiveSignIns({ ...wishes, signIns: stores.signIns })
  const signIns = createSignIns({ ...wishes, users, signIns: stores.signIns, tokens, present })
  const notices = createSecurityNotices(wishes)
  const guessing = createGuessingNotices({ attempts, notices, users })
  const origins = createKnownOrigins({ ...wishes, store: stores.knownOrigins })
  const guards = { attempts, origins, guessing }
  const passwordGuard = createPasswordGuard(guards)
  const secondFactorGuard = createSecondFactorGuard(guards)
  const oneTimeTokens = createOneTimeTokens({ ...wishes, store: stores.oneTimeTokens, guessing })
  const messages = createMessages(wishes)
  const basic = { ...wishes, users, signIns, oneTimeTokens, hashes, notices }
  const proofs = createPasswordProofs({ ...basic, signIns: stores.signIns, passwordGuard })
  const registrations = createRegistrations(basic)
  const changes = createUserChanges(basic)
  const guarded = { proofs, guessing, origins, passwordGuard, secondFactorGuard }
  const parts: ProviderParts = { ...basic, ...guarded, tokens, messages, registrations, changes, present }
  const factors = createFactors(parts)
  const { pageFor, ownAddress } = messages

  async function findAccount(token: string): Promise<Account | null> {
    const claims = await tokens.check(token)
    return claims && live.find(claims)
  }

  const seam = createSeam(parts)
  const passwordGrant = createPasswordGrant({ ...parts, requestProof: createAddressProof(parts) })

  const protocol: Protocol = {
    publicKeys: keys.published,
    settings,
    ...createSignUp(parts),
    ...createSending(parts),
    ...createVerification(parts),
    own: createOwnChanges(parts),
    factors,
    administration: createAdministration({ ...parts, factors }),
    links: createLinks(parts),
    pageFor,
    ownAddress,
    isChallenged,
    passwordGrant,
    findUser: seam.findUser,

    async identify(authorization) {
      const token = bearerToken(authorization)
      if (token === null) throw refuseAuth('no_authorization')
      const claims = await tokens.check(token)
      if (!claims) throw refuseAuth('bad_jwt')
      const account = await live.find(claims)
      if (!account) throw refuseAuth('session_not_found')
      return account
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
  }

  return {
    ...seam,
    findAccount,
    passwordGrant,
    reauthenticate: proofs.reauthenticate,
    hasFreshProof: proofs.hasFreshProof,
    protocol,
    backupCodes: createBackupCodes(parts),
    async hasProvenAddress(userId) {
      const user = await users.find(userId)
      return user !== null && user.email_proven_at !== null
    },
    issueServiceKey: tokens.issueServiceKey,
  }
}
