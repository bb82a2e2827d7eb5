import { useAccounts } from '#/accounts/accounts-context.ts'
import type { StartedAgain } from '#/keys/start-again.ts'
import { type Recovery, sessionOf } from '#/set-password/recovery.ts'
import { SetPasswordPage } from '#/set-password/set-password-page.tsx'

/** Hands the page of a password link what makes keys of passwords, and lets in whoever has set one. */
export function SetPasswordRoute() {
  const { gate, enter } = useAccounts()

  async function letIn({ provider }: Recovery, { keys }: StartedAgain): Promise<void> {
    const session = await sessionOf(provider)
    await gate.whileEntering(async () => {
      enter.policy.start(false)
      await enter.auth.begin(session)
      await enter.keyRing.open(keys)
    })
  }

  return <SetPasswordPage deriving={enter} enter={letIn} />
}
