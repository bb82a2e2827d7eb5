import type { CallOptions } from '@sallyport/client/call'
import { authSessions } from '@sallyport/contract/auth-sessions'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import type { AccountIdentifier } from './account-identifier.ts'
import { isPasswordInvalid } from './is-password-invalid.ts'
import { getSignInKdfParams, type KeyDerivationDeps } from './password-keys.ts'

type ConfirmPasswordDeps = Pick<KeyDerivationDeps, 'call' | 'storage' | 'deriveSecrets'>

/**
 * Reauthenticates with the credential derived from the password, so that the server allows changes to the account's
 * security, and resolves with that credential. Sends none of a weaker profile than this device uses for the account.
 */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { holder: identifier, password }: { readonly holder: AccountIdentifier; readonly password: string },
): Promise<string> {
  const { salt, profiles } = await getSignInKdfParams(deps, { holder: identifier, mayUseWeaker: false })
  for (const profile of profiles) {
    const { credential } = await deps.deriveSecrets({ password, salt, profile })
    try {
      await confirmCredential(deps, credential)
      return credential
    } catch (error) {
      if (profile === profiles.at(-1) || !isPasswordInvalid(error)) throw error
    }
  }
  throw new UserFacingError(signInStrings.unknownProfile)
}

/** Reauthenticates with a credential that is already derived. */
export async function confirmCredential(
  { call }: Pick<KeyDerivationDeps, 'call'>,
  credential: string,
  options: CallOptions = {},
): Promise<void> {
  await call(authSessions.reauthenticate, { body: { password: credential } }, options)
}
