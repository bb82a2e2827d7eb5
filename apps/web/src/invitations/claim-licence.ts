import { invitations } from '@sallyport/contract/invitations'
import { newProfile } from '#/keys/login-profile.ts'
import { askForWays, type DeriveDeps } from '#/keys/password-keys.ts'

interface Claim {
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Makes an account that holds the licence of the invitation. The password itself stays here. */
export async function claimLicence(deps: DeriveDeps, { email, password, token }: Claim): Promise<void> {
  const address = email.trim().toLowerCase()
  const { salt } = await askForWays(deps, { email: address })
  const { credential } = await deps.deriveSecrets({ password, salt, profile: newProfile })
  await deps.call(invitations.registerWithMagicLink, {
    body: { email: address, password: credential, magicToken: token },
  })
}
