import { fetchTimed } from '@sallyport/browser/server-clock'
import { createCaller } from '@sallyport/client/call'
import type { GoTrueClient } from '@supabase/auth-js'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { messageFor, UserFacingError } from '#/strings/errors/message-for.ts'
import { businessSignUpStrings } from '#/strings/organization/business-sign-up.ts'
import type { Buyer } from '../../billing/use-buyer.ts'
import { normalizeTypedEmail } from '../../sign-in/identifier.ts'
import { loadSignIn } from '../../sign-in/load-sign-in.ts'
import type { SignInDeps } from '../../sign-in/sign-in.ts'
import { signUpTypes } from './sign-up-types.ts'

interface CreateBusinessAccountDeps extends SignInDeps {
  readonly createEphemeralAuthClient: () => Promise<GoTrueClient>
}

interface BusinessSignUp {
  readonly organizationName: string
  readonly email: string
  readonly password: string
}

/** A new account that may buy, until `signOut` ends its session. */
export interface NewBuyer extends Buyer {
  readonly signOut: () => Promise<unknown>
}

/**
 * Creates an account at the auth provider and returns who buys. The session is for the checkout alone: this browser does
 * not keep it. Null if the email address has to be confirmed first. Rejects with the sentence to show.
 */
export async function createBusinessAccount(
  deps: CreateBusinessAccountDeps,
  signUp: BusinessSignUp,
): Promise<NewBuyer | null> {
  try {
    return await signUpAtProvider(deps, signUp)
  } catch (error) {
    const { failed, failedUnknown } = businessSignUpStrings
    const reason = messageFor(error, '')
    throw new UserFacingError(reason ? failed(reason) : failedUnknown, { cause: error })
  }
}

async function signUpAtProvider(
  deps: CreateBusinessAccountDeps,
  { organizationName, password, ...typed }: BusinessSignUp,
): Promise<NewBuyer | null> {
  const email = normalizeTypedEmail(typed.email)
  const [{ deriveNewSecrets }, client] = await Promise.all([loadSignIn(), deps.createEphemeralAuthClient()])
  const { secrets } = await deriveNewSecrets(deps, { email, password })
  const data = { organization_name: organizationName, signup_type: signUpTypes.pending }
  const { session } = unwrapAuthResponse(
    await client.signUp({ email, password: secrets.credential, options: { data } }),
  )
  if (!session) return null
  // The client renews the session while the form is open.
  const getAccessToken = async () => (await client.getSession()).data.session?.access_token ?? null
  return {
    call: createCaller({ baseUrl: '', fetch: fetchTimed, getAccessToken }),
    email,
    userId: session.user.id,
    signOut: () => client.signOut({ scope: 'local' }),
  }
}
