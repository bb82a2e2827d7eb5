import type { AuthUser } from '@sallyport/contract/auth'
import type { Bus } from '../bus/bus.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { AuthStores } from './auth.store.ts'
import type { CredentialHashes } from './credential-hash.ts'
import type { Messages } from './messages.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { ProviderSecret } from './provider-secret.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { Registrations } from './registrations.ts'
import type { Rename } from './rename.ts'
import type { SignIns } from './sign-ins.ts'
import type { UserChanges } from './user-changes.ts'
import type { UserRecord } from './users.store.ts'

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
  readonly oneTimeTokens: OneTimeTokens
  readonly messages: Messages
  readonly registrations: Registrations
  readonly changes: UserChanges
  readonly present: (user: UserRecord) => Promise<AuthUser>
  /** Told when a user goes by another address or number from now on. */
  readonly onRename: Rename
}
