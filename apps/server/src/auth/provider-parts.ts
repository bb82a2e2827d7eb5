import type { AuthUser } from '@sallyport/contract/auth'
import type { Bus } from '../bus/bus.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { SecurityNotices } from '../post/security-notices.ts'
import type { AuthStores } from './auth.store.ts'
import type { Messages } from './one-time/messages.ts'
import type { OneTimeTokens } from './one-time/one-time-tokens.ts'
import type { ProviderSecret } from './provider-secret.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { CredentialHashes } from './sign-ins/credential-hash.ts'
import type { GuessingNotices } from './sign-ins/guessing-notices.ts'
import type { KnownOrigins } from './sign-ins/known-origins.ts'
import type { PasswordGuard } from './sign-ins/password-guard.ts'
import type { PasswordProofs } from './sign-ins/password-proofs.ts'
import type { SecondFactorGuard } from './sign-ins/second-factor-guard.ts'
import type { SignIns } from './sign-ins/sign-ins.ts'
import type { AccessTokens } from './tokens/access-tokens.ts'
import type { Registrations } from './users/registrations.ts'
import type { Rename } from './users/rename.ts'
import type { UserChanges } from './users/user-changes.ts'
import type { UserRecord } from './users/users.store.ts'

/** What the concerns of the embedded provider are made of. Each asks for the few it needs. */
export interface ProviderParts {
  readonly stores: AuthStores
  readonly secret: ProviderSecret
  readonly issuer: string
  readonly publicUrl: URL
  readonly attempts: Attempts
  readonly bus: Bus
  readonly now: () => number
  readonly settings: ProviderSettings
  readonly hashes: CredentialHashes
  readonly tokens: AccessTokens
  readonly signIns: SignIns
  readonly proofs: PasswordProofs
  readonly oneTimeTokens: OneTimeTokens
  readonly messages: Messages
  readonly registrations: Registrations
  readonly changes: UserChanges
  readonly present: (user: UserRecord) => Promise<AuthUser>
  /** Told when a user goes by another address or number from now on. */
  readonly onRename: Rename
  readonly notices: SecurityNotices
  readonly guessing: GuessingNotices
  readonly origins: KnownOrigins
  readonly passwordGuard: PasswordGuard
  readonly secondFactorGuard: SecondFactorGuard
}
