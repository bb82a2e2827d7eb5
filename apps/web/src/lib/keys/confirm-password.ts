import { ApiError } from '@sallyport/client/errors'
import { authSessions } from '@sallyport/contract/auth-sessions'
import type { AccountIdentifier } from './account-identifier.ts'
import { getSignInKdfParams, type KeyDerivationDeps } from './password-keys.ts'

type ConfirmPasswordDeps = Pick<KeyDerivationDeps, 'call' | 'storage' | 'deriveSecrets'>

/**
 * Reauthenticates with the credential derived from the password, so that the server allows changes to the account's
 * security. Sends no credential of a weaker profile than this device uses for the account.
 */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { holder: identifier, password }: { readonly holder: AccountIdentifier; readonly password: string },
): Promise<void> {
  const { salt, profiles } = await getSignInKdfParams(deps, { holder: identifier, mayUseWeaker: false })
  for (const profile of profiles) {
    const { credential } = await deps.deriveSecrets({ password, salt, profile })
    try {
      return await confirmCredential(deps, credential)
    } catch (error) {
      if (profile === profiles.at(-1) || !isPasswordInvalid(error)) throw error
    }
  }
}

/** Reauthenticates with a credential that is already derived. */
export async function confirmCredential({ call }: Pick<KeyDerivationDeps, 'call'>, credential: string): Promise<void> {
  await call(authSessions.reauthenticate, { body: { password: credential } })
}

/** True if the server compared the credential and it did not match. */
export const isPasswordInvalid = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PASSWORD_INVALID'
