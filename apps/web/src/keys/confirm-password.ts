import { ApiError } from '@sallyport/client/errors'
import { signIns } from '@sallyport/contract/sign-ins'
import type { Holder } from './holder.ts'
import { askForSignIn, type DeriveDeps } from './password-keys.ts'

type ConfirmPasswordDeps = Pick<DeriveDeps, 'call' | 'storage' | 'deriveSecrets'>

/**
 * Shows the server the account's password, derived, so that it allows changes to what protects the account. Sends no
 * credential of a weaker profile than this device uses for the account.
 */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { holder, password }: { readonly holder: Holder; readonly password: string },
): Promise<void> {
  const { salt, profiles } = await askForSignIn(deps, { holder, mayUseWeaker: false })
  for (const profile of profiles) {
    const { credential } = await deps.deriveSecrets({ password, salt, profile })
    try {
      return await confirmCredential(deps, credential)
    } catch (error) {
      if (profile === profiles.at(-1) || !isPasswordInvalid(error)) throw error
    }
  }
}

/** The same for a password that is derived already. */
export async function confirmCredential({ call }: Pick<DeriveDeps, 'call'>, credential: string): Promise<void> {
  await call(signIns.reauthenticate, { body: { password: credential } })
}

/** True where the server has compared the credential and it is another one. */
export const isPasswordInvalid = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PASSWORD_INVALID'
