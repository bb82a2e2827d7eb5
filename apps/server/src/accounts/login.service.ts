import type { AuthSession, AuthUser } from '@sallyport/contract/auth'
import { rateLimits } from '@sallyport/contract/server-limits'
import { AuthRefusal } from '../auth/protocol/auth-refusal.ts'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider, PasswordAttempt } from '../auth/provider.ts'
import { checkDerived } from '../auth/users/newcomers.ts'
import { refuse } from '../errors.ts'
import type { Licences } from '../licences/licences.ts'
import type { Attempts } from '../limits/attempts.ts'
import { readIdentifier } from './identifier.ts'
import type { Salts } from './salts.ts'
import { type Upgrade, upgradeOf } from './upgrade.rules.ts'

interface Parts {
  readonly provider: AuthProvider
  readonly salts: Salts
  readonly licenceOf: Licences['licenceOf']
  readonly attempts: Attempts
  /** Tells who asks that there is no such account. */
  readonly revealUnknown: boolean
  readonly strict: boolean
  readonly now: () => number
  /** Told of everybody who has signed in. */
  readonly onSignIn: (user: AuthUser) => Promise<void>
}

type Attempt = Omit<PasswordAttempt, 'credential'> & { readonly credential: string | undefined }

interface SignedIn extends Upgrade {
  readonly session: AuthSession
  readonly user: AuthUser
  readonly mfa_required?: true
}

/**
 * Signs in by the provider and then asks for the licence. Where that cannot be read, nobody learns the tokens; where it
 * is long over, the refusal carries them, as they open nothing but the way to a new one.
 */
export function createLogin(parts: Parts) {
  const { provider, salts, licenceOf, attempts, revealUnknown, strict, now, onSignIn } = parts

  async function grant(attempt: PasswordAttempt): Promise<AuthSession> {
    try {
      return await provider.passwordGrant(attempt)
    } catch (error) {
      const isWrong = error instanceof AuthRefusal && error.code === 'invalid_credentials'
      if (isWrong && revealUnknown && (await isUnknown(attempt))) throw refuse('USER_NOT_FOUND')
      throw error
    }
  }

  /** Answers few of those who ask, so that nobody reads a list of addresses off it. */
  async function isUnknown({ email, phone, origin }: PasswordAttempt): Promise<boolean> {
    const { allowed } = await attempts.allow(`unknown|${origin.address}`, rateLimits.unknownAccountsPerAddress)
    return allowed && (await provider.findBy({ email, phone })) === null
  }

  return {
    signIn: ({ email, phone, credential, ...rest }: Attempt): Promise<SignedIn> =>
      withProductErrors(async () => {
        if (!credential || (!email?.trim() && !phone?.trim())) throw refuse('EMAIL_OR_PHONE_REQUIRED')
        if (strict) checkDerived(credential)
        const identifier = readIdentifier({ email, phone })
        const session = await grant({ email, phone, credential, ...rest })
        const { user } = session
        const { upgrade, refusal } = upgradeOf(await licenceOf(user.id), now())
        await salts.pin(identifier, user.id, credential)
        await onSignIn(user)
        const account = await provider.findAccount(session.access_token)
        const pending = account?.secondFactorPending ? ({ mfa_required: true } as const) : {}
        if (refusal) {
          const known = { id: user.id, email: user.email }
          throw refuse(refusal, { beside: { session, user: known, ...pending, ...upgrade } })
        }
        return { session, user, ...pending, ...upgrade }
      }),
  }
}
