import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { readEmail } from '../accounts/identifier.ts'
import type { RegistrationService } from '../accounts/registration.service.ts'
import { AuthError } from '../auth/protocol/auth-error.ts'
import { withProductErrors } from '../auth/protocol/product-errors.ts'
import type { AuthProvider, RequestOrigin } from '../auth/provider.ts'
import { validateDerivedSecret } from '../auth/users/user-input.ts'
import { type InvitationsService, isCopied } from './invitations.service.ts'

interface JoinDeps extends Pick<ServerContext, 'strict'> {
  readonly invitations: Pick<InvitationsService, 'find' | 'take'>
  readonly provider: Pick<AuthProvider, 'findBy' | 'passwordGrant' | 'findAccount' | 'endAuthSessions'>
  readonly register: RegistrationService['register']
}

interface JoinInput {
  readonly token: string
  readonly email: string
  readonly credential: string
  /** Chooses the text of an error and nothing else. */
  readonly saysAccountExists: boolean
  readonly origin: RequestOrigin
}

/**
 * Accepts emailed invitations of people who are not signed in: with a new account, whose address the token proves, or with
 * the password of the account that has it. A call that was interrupted after it created the account is repeated with the
 * same password.
 */
export function createJoinService({ invitations, provider, register, strict }: JoinDeps) {
  /** Returns the id of the user whose password this is. The auth session that this starts ends at once. */
  async function verify({ email, credential, saysAccountExists, origin }: JoinInput): Promise<string> {
    if (strict) validateDerivedSecret(credential)
    const grant = provider.passwordGrant({ email, credential, sessionLifetime: 'short', origin })
    const session = await grant.catch((error: unknown) => {
      const isWrong = error instanceof AuthError && error.code === 'invalid_credentials'
      throw isWrong && !saysAccountExists ? apiError('ACCOUNT_EXISTS') : error
    })
    const account = await provider.findAccount(session.access_token)
    if (account) await provider.endAuthSessions(account.userId, account.authSessionId)
    if (!account || account.mfaPending) throw apiError('SIGN_IN_FIRST')
    return account.userId
  }

  async function create({ email, credential, saysAccountExists, origin }: JoinInput): Promise<string> {
    if (saysAccountExists) {
      const needed = apiError('ACCOUNT_NEEDED')
      throw apiError('ACCOUNT_NEEDED', { extraFields: { message: needed.message } })
    }
    const { user } = await register({ email, credential, address: origin.address, invitedTo: email })
    const account = await provider.findBy({ email })
    // Another call has just created the account, with its own password.
    if (account?.id !== user.id) throw apiError('ACCOUNT_EXISTS')
    return account.id
  }

  return {
    /** Throws ORGANIZATION_INVITATION_INVALID, also for an address that was not invited, and the errors of its parts. */
    join: (request: JoinInput) =>
      withProductErrors(async () => {
        if (isCopied(request.token)) throw apiError('ORGANIZATION_INVITATION_INVALID')
        const invitation = await invitations.find(request.token, request.origin.address)
        const input = { ...request, email: readEmail(request.email) }
        if (input.email !== invitation.email) throw apiError('ORGANIZATION_INVITATION_INVALID')
        const existing = await provider.findBy({ email: input.email })
        const userId = existing?.email_confirmed_at ? await verify(input) : await create(input)
        return invitations.take(invitation, userId, input.token)
      }),
  }
}

export type JoinService = ReturnType<typeof createJoinService>
