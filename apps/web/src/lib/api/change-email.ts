import type { Clock } from '@sallyport/client/clock'
import { isUnanswered } from '@sallyport/client/connectivity'
import { ignore } from '@sallyport/contract/ignore'
import type { GoTrueClient, User } from '@supabase/auth-js'
import { emailChangeStrings } from '#/strings/account/email-change.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { askAgain } from '../ask-again.ts'
import type { Auth } from './auth.ts'
import { toAuthError, unwrapAuthResponse } from './auth-errors.ts'

interface EmailChangeDeps {
  readonly auth: Pick<Auth, 'provider'>
  readonly clock: Clock
}

interface EmailChangeRequest {
  readonly email: string
  /** The current credential, which the server requires. */
  readonly current: string
}

/** `confirmation` if the change takes effect once the links sent to both addresses were opened. */
export type EmailChange = 'done' | 'confirmation'

/**
 * Changes the email address of the signed-in account. If the answer is lost, asks the server for the account's address.
 * Rejects with a `NetworkError` or a user-facing message.
 */
export async function changeEmail(
  { auth, clock }: EmailChangeDeps,
  { email, current }: EmailChangeRequest,
): Promise<EmailChange> {
  const provider = await auth.provider()
  const { data, error } = await provider.updateUser({ email, current_password: current })
  if (!error) return data.user.new_email ? 'confirmation' : 'done'
  const authError = toAuthError(error)
  if (!isUnanswered(authError)) throw authError
  const user = await askAgain(clock, () => fetchUser(provider))
  if (user.new_email === email) return 'confirmation'
  if (user.email !== email) throw new UserFacingError(emailChangeStrings.notChanged, { cause: authError })
  // Stores the new address in the auth session, as the lost answer would have done.
  await provider.refreshSession().catch((failure) => ignore(failure, 'the next refresh stores it'))
  return 'done'
}

const fetchUser = async (provider: GoTrueClient): Promise<User> => unwrapAuthResponse(await provider.getUser()).user
