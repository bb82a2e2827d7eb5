import { ApiError } from '@sallyport/client/errors'
import { signIns } from '@sallyport/contract/sign-ins'
import { askForWays, type DeriveDeps, type Holder } from './password-keys.ts'

type ConfirmPasswordDeps = Pick<DeriveDeps, 'call' | 'storage' | 'deriveSecrets'>

/** Shows the server the account's password, derived, so that it allows changes to what protects the account. */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { holder, password }: { readonly holder: Holder; readonly password: string },
): Promise<void> {
  const { salt, profiles } = await askForWays(deps, holder)
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

const isPasswordInvalid = (error: unknown): boolean => error instanceof ApiError && error.code === 'PASSWORD_INVALID'
