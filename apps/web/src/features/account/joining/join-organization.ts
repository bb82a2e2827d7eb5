import { organizations } from '@sallyport/contract/organizations'
import { currentProfile } from '#/lib/keys/login-profile.ts'
import type { KeyDerivationDeps } from '#/lib/keys/password-keys.ts'
import { getKdfParams } from '#/lib/keys/password-keys.ts'
import { loadSignIn } from '../sign-in/load-sign-in.ts'

interface JoinInput {
  readonly token: string
  readonly email: string
  readonly password: string
  readonly hasAccount: boolean
}

/** Accepts an emailed invitation with a new account or with the existing one. The password itself is never sent. */
export async function joinOrganization(deps: KeyDerivationDeps, input: JoinInput): Promise<void> {
  const { token, email, password, hasAccount } = input
  const join = (credential: string) =>
    deps.call(organizations.join, { body: { token, email, password: credential, existing_account: hasAccount } })
  if (hasAccount) {
    const { withLoginSecrets } = await loadSignIn()
    const account = { identifier: { email }, password, allowsWeakerProfile: false }
    await withLoginSecrets(deps, account, ({ secrets }) => join(secrets.credential))
  } else {
    const { salt } = await getKdfParams(deps, { email })
    await join((await deps.deriveSecrets({ password, salt, profile: currentProfile })).credential)
  }
}
