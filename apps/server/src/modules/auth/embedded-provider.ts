import type { AuthSession, PublicKey } from '@sallyport/contract/auth'
import type { Logger } from 'pino'
import type { ServerContext } from '../../context.ts'
import { createSecurityNotices } from '../../platform/email/security-notices.ts'
import { type Account, bearerToken } from '../../platform/http/caller.ts'
import { createBackupCodes } from './factors/backup-codes.ts'
import { createFactors } from './factors/factors.ts'
import { createEmailVerificationRequest } from './one-time/email-verification-request.ts'
import { createLinks } from './one-time/links.ts'
import { createMessageRequests } from './one-time/message-requests.ts'
import { createMessages, type Messages } from './one-time/messages.ts'
import { createOneTimeTokens, isPkceToken, type OneTimeTokens } from './one-time/one-time-tokens.ts'
import { createVerification } from './one-time/verification.ts'
import { authError } from './protocol/auth-error.ts'
import type { AuthProvider, RequestOrigin } from './provider.ts'
import type { ProviderDeps } from './provider-deps.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { countRefresh } from './sign-ins/auth-rate-limits.ts'
import { createAuthSessions } from './sign-ins/auth-sessions.ts'
import { createCredentialHashes } from './sign-ins/credential-hash.ts'
import { createGuessingNotices } from './sign-ins/guessing-notices.ts'
import { createKnownOrigins } from './sign-ins/known-origins.ts'
import { createLiveAuthSessions } from './sign-ins/live-auth-sessions.ts'
import { createMfaGuard } from './sign-ins/mfa-guard.ts'
import { createPasswordGrant } from './sign-ins/password-grant.ts'
import { createPasswordGuard } from './sign-ins/password-guard.ts'
import { createReauthentication } from './sign-ins/reauthentication.ts'
import { createAccessTokens } from './tokens/access-tokens.ts'
import type { SigningKeys } from './tokens/signing-keys.ts'
import { createUserManagement } from './user-management.ts'
import { createAdministration } from './users/administration.ts'
import { formatUser } from './users/format-user.ts'
import { createOwnUserChanges } from './users/own-user-changes.ts'
import { createRegistrations } from './users/registrations.ts'
import { createSignUp } from './users/sign-up.ts'
import { createUserChanges } from './users/user-changes.ts'
import type { UserRecord } from './users/users.store.ts'

interface EmbeddedProviderOptions
  extends Pick<ProviderDeps, 'stores' | 'secret' | 'issuer' | 'settings' | 'onIdentifierChange' | 'beforeRemoval'>,
    Pick<
      ServerContext,
      'publicUrl' | 'emailService' | 'rateLimiter' | 'bus' | 'now' | 'hashing' | 'securityLog' | 'recordActivity'
    > {
  readonly keys: SigningKeys
  readonly log: Pick<Logger, 'warn' | 'error'>
}

type SignOutScope = 'global' | 'local' | 'others'

/** What the routes of the auth protocol need of the embedded provider in addition to `AuthProvider`. */
export interface AuthProtocol
  extends ReturnType<typeof createSignUp>,
    ReturnType<typeof createMessageRequests>,
    ReturnType<typeof createVerification>,
    Pick<AuthProvider, 'passwordGrant' | 'findUser'>,
    Pick<Messages, 'pageFor' | 'sameOriginUrl'> {
  readonly publicKeys: readonly PublicKey[]
  readonly settings: ProviderSettings
  readonly ownUser: ReturnType<typeof createOwnUserChanges>
  readonly factors: ReturnType<typeof createFactors>
  readonly administration: ReturnType<typeof createAdministration>
  readonly links: ReturnType<typeof createLinks>
  /** True for a token with a PKCE challenge, which only the requesting browser can exchange. */
  isPkceToken(token: string): boolean
  refresh(refreshToken: string, origin: RequestOrigin): Promise<AuthSession>
  /** Returns the account of an `Authorization` header, or throws an `AuthError`. */
  authenticate(authorization: string | undefined): Promise<Account>
  signOut(account: Account, scope: SignOutScope): Promise<void>
}

export interface EmbeddedProvider extends AuthProvider {
  readonly protocol: AuthProtocol
  readonly backupCodes: ReturnType<typeof createBackupCodes>
  /** Returns whether the link of an email still works, without consuming it. */
  readonly getLinkStatus: OneTimeTokens['getLinkStatus']
  /** True once a link or code in an email has proved that the user owns the address. */
  hasVerifiedEmail(userId: string): Promise<boolean>
  /** Issues a key for the provider's admin endpoints that is valid for this many seconds. */
  issueServiceKey(seconds: number): Promise<string>
}

/** An auth provider that stores users, credentials and auth sessions in Sallyport's own database. */
export function createEmbeddedProvider(options: EmbeddedProviderOptions): EmbeddedProvider {
  const { stores, rateLimiter, settings, keys } = options
  const { users } = stores
  const toAuthUser = async (user: UserRecord) => formatUser(user, await stores.factors.list(user.id))
  const hashes = createCredentialHashes(options.hashing)
  const tokens = createAccessTokens({ ...options, ...settings })
  const liveAuthSessions = createLiveAuthSessions({ ...options, authSessions: stores.authSessions })
  const authSessions = createAuthSessions({ ...options, users, authSessions: stores.authSessions, tokens, toAuthUser })
  const notices = createSecurityNotices(options)
  const guessingNotices = createGuessingNotices({ rateLimiter, notices, users })
  const knownOrigins = createKnownOrigins({ ...options, store: stores.knownOrigins })
  const guardDeps = { rateLimiter, knownOrigins, guessingNotices, securityLog: options.securityLog }
  const passwordGuard = createPasswordGuard(guardDeps)
  const mfaGuard = createMfaGuard(guardDeps)
  const oneTimeTokens = createOneTimeTokens({ ...options, store: stores.oneTimeTokens, guessingNotices })
  const messages = createMessages(options)
  const baseDeps = { ...options, users, authSessions, oneTimeTokens, hashes, notices }
  const reauthentication = createReauthentication({ ...baseDeps, authSessions: stores.authSessions, passwordGuard })
  const registrations = createRegistrations(baseDeps)
  const userChanges = createUserChanges(baseDeps)
  const guardServices = { reauthentication, guessingNotices, knownOrigins, passwordGuard, mfaGuard }
  const deps: ProviderDeps = { ...baseDeps, ...guardServices, tokens, messages, registrations, userChanges, toAuthUser }
  const factors = createFactors(deps)
  const { pageFor, sameOriginUrl } = messages

  async function findAccount(token: string): Promise<Account | null> {
    const claims = await tokens.verify(token)
    return claims && liveAuthSessions.find(claims)
  }

  const userManagement = createUserManagement(deps)
  const passwordGrant = createPasswordGrant({ ...deps, requestEmailVerification: createEmailVerificationRequest(deps) })

  const protocol: AuthProtocol = {
    publicKeys: keys.publicKeys,
    settings,
    ...createSignUp(deps),
    ...createMessageRequests(deps),
    ...createVerification(deps),
    ownUser: createOwnUserChanges(deps),
    factors,
    administration: createAdministration({ ...deps, factors }),
    links: createLinks(deps),
    pageFor,
    sameOriginUrl,
    isPkceToken,
    passwordGrant,
    findUser: userManagement.findUser,

    async authenticate(authorization) {
      const token = bearerToken(authorization)
      if (token === null) throw authError('no_authorization')
      const claims = await tokens.verify(token)
      if (!claims) throw authError('bad_jwt')
      const account = await liveAuthSessions.find(claims)
      if (!account) throw authError('session_not_found')
      return account
    },

    async refresh(refreshToken, origin) {
      await countRefresh(rateLimiter, origin.address)
      return authSessions.refresh(refreshToken)
    },

    async signOut({ userId, authSessionId }, scope) {
      if (scope === 'local') return authSessions.end(userId, authSessionId)
      if (scope === 'global') return authSessions.endAll(userId)
      await authSessions.endOthers(userId, authSessionId)
    },
  }

  return {
    ...userManagement,
    findAccount,
    passwordGrant,
    reauthenticate: reauthentication.reauthenticate,
    isRecentlyAuthenticated: reauthentication.isRecentlyAuthenticated,
    protocol,
    backupCodes: createBackupCodes(deps),
    getLinkStatus: oneTimeTokens.getLinkStatus,
    async hasVerifiedEmail(userId) {
      const user = await users.find(userId)
      return user !== null && user.email_proven_at !== null
    },
    issueServiceKey: tokens.issueServiceKey,
  }
}
