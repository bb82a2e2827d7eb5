import type { AuthSession, AuthUser } from '@sallyport/contract/auth'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { AuthError } from '../auth/protocol/auth-error.ts'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider, PasswordGrantInput } from '../auth/provider.ts'
import { validateDerivedSecret } from '../auth/users/user-input.ts'
import { readIdentifier } from './identifier.ts'
import type { Licences } from './licences/licences.ts'
import type { Salts } from './salts.ts'
import { getUpgradeStatus, type UpgradeStatus } from './upgrade.rules.ts'

interface LoginServiceDeps extends Pick<ServerContext, 'rateLimiter' | 'strict' | 'now'> {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly licenceOf: Licences['licenceOf']
  /** Answers unknown accounts with USER_NOT_FOUND instead of INVALID_CREDENTIALS. */
  readonly revealUnknown: boolean
  /** Called after each successful sign-in. */
  readonly onSignIn: (user: AuthUser) => Promise<void>
}

type LoginAttempt = Omit<PasswordGrantInput, 'credential'> & { readonly credential: string | undefined }

interface LoginResult extends UpgradeStatus {
  readonly session: AuthSession
  readonly user: AuthUser
  readonly mfa_required?: true
}

/**
 * Signs in at the provider and then checks the licence. If the licence cannot be read, no tokens are returned. If the
 * licence is past its grace period, the error response includes the tokens, because they only authorize the calls for
 * getting a new licence.
 */
export function createLoginService(deps: LoginServiceDeps) {
  const { provider, salts, licenceOf, rateLimiter, revealUnknown, strict, now, onSignIn } = deps

  async function grantSession(attempt: PasswordGrantInput): Promise<AuthSession> {
    try {
      return await provider.passwordGrant(attempt)
    } catch (error) {
      const isInvalidCredentials = error instanceof AuthError && error.code === 'invalid_credentials'
      if (isInvalidCredentials && revealUnknown && (await isUnknown(attempt))) throw apiError('USER_NOT_FOUND')
      throw error
    }
  }

  /** Rate-limited per client address to prevent account enumeration. */
  async function isUnknown({ email, phone, origin }: PasswordGrantInput): Promise<boolean> {
    const { allowed } = await rateLimiter.allow(`unknown|${origin.address}`, rateLimits.unknownAccountsPerAddress)
    return allowed && (await provider.findBy({ email, phone })) === null
  }

  return {
    signIn: ({ email, phone, credential, ...rest }: LoginAttempt): Promise<LoginResult> =>
      withProductErrors(async () => {
        if (!credential || (!email?.trim() && !phone?.trim())) throw apiError('EMAIL_OR_PHONE_REQUIRED')
        if (strict) validateDerivedSecret(credential)
        const identifier = readIdentifier({ email, phone })
        const session = await grantSession({ email, phone, credential, ...rest })
        const { user } = session
        const { upgrade, errorCode } = getUpgradeStatus(await licenceOf(user.id), now())
        await salts.pin(identifier, user.id, credential)
        await onSignIn(user)
        const account = await provider.findAccount(session.access_token)
        const pending = account?.mfaPending ? ({ mfa_required: true } as const) : {}
        if (errorCode) {
          const userSummary = { id: user.id, email: user.email }
          throw apiError(errorCode, { extraFields: { session, user: userSummary, ...pending, ...upgrade } })
        }
        return { session, user, ...pending, ...upgrade }
      }),
  }
}
