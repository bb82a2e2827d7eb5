import type { AuthUser } from '@sallyport/contract/auth'
import type { ServerContext } from '../../context.ts'
import type { AuthStores } from './auth.store.ts'
import type { Messages } from './one-time/messages.ts'
import type { OneTimeTokens } from './one-time/one-time-tokens.ts'
import type { ProviderSecret } from './provider-secret.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { AuthSessions } from './sign-ins/auth-sessions.ts'
import type { CredentialHashes } from './sign-ins/credential-hash.ts'
import type { GuessingNotices } from './sign-ins/guessing-notices.ts'
import type { KnownOrigins } from './sign-ins/known-origins.ts'
import type { MfaGuard } from './sign-ins/mfa-guard.ts'
import type { PasswordGuard } from './sign-ins/password-guard.ts'
import type { ReauthenticationService } from './sign-ins/reauthentication.ts'
import type { AccessTokens } from './tokens/access-tokens.ts'
import type { OnIdentifierChange } from './users/identifier-changes.ts'
import type { Registrations } from './users/registrations.ts'
import type { UserChanges } from './users/user-changes.ts'
import type { UserRecord } from './users/users.store.ts'

/** Dependencies of the modules of the embedded provider. */
export interface ProviderDeps
  extends Pick<ServerContext, 'publicUrl' | 'rateLimiter' | 'bus' | 'now' | 'notices' | 'securityLog'> {
  readonly stores: AuthStores
  readonly secret: ProviderSecret
  /** The base URL of the provider, which is the `iss` of its tokens: `https://host/auth/v1`. */
  readonly issuer: string
  readonly settings: ProviderSettings
  readonly hashes: CredentialHashes
  readonly tokens: AccessTokens
  readonly authSessions: AuthSessions
  readonly reauthentication: ReauthenticationService
  readonly oneTimeTokens: OneTimeTokens
  readonly messages: Messages
  readonly registrations: Registrations
  readonly userChanges: UserChanges
  readonly toAuthUser: (user: UserRecord) => Promise<AuthUser>
  /** Called after a user's email address or phone number has changed. */
  readonly onIdentifierChange: OnIdentifierChange
  /** What ends before the row of a user is emptied. */
  readonly beforeRemoval: (userId: string) => Promise<void>
  readonly guessingNotices: GuessingNotices
  readonly knownOrigins: KnownOrigins
  readonly passwordGuard: PasswordGuard
  readonly mfaGuard: MfaGuard
}
