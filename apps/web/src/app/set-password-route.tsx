import { useAccounts } from '#/features/account/accounts-context.ts'
import { currentSessionOf, type RecoveryAuthSession } from '#/features/account/password-reset/recovery.ts'
import { SetPasswordPage } from '#/features/account/password-reset/set-password-page.tsx'
import type { RecoveredAccount } from '#/lib/keys/recover-account.ts'

/** Passes the key derivation to the set-password page, and signs in the user once the password is set. */
export function SetPasswordRoute() {
  const { authController, signInDeps } = useAccounts()

  async function adoptSession({ provider }: RecoveryAuthSession, { keys }: RecoveredAccount): Promise<void> {
    const session = await currentSessionOf(provider)
    await authController.whileSigningIn(async () => {
      signInDeps.sessionLifetime.start(false)
      await signInDeps.auth.begin(session)
      await signInDeps.keyRing.open(keys)
    })
  }

  return <SetPasswordPage keyDerivation={signInDeps} adoptSession={adoptSession} />
}
