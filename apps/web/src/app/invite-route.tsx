import { useAccounts } from '#/features/account/accounts-context.ts'
import { InvitePage } from '#/features/account/invitations/invite-page.tsx'
import { useObservable } from '#/lib/use-observable.ts'

/** Passes the key derivation and the signed-in account to the invitation page. */
export function InviteRoute() {
  const { signInDeps } = useAccounts()
  const authSession = useObservable(signInDeps.auth.state)
  const account = authSession.phase === 'signed-in' ? authSession.account : null
  return <InvitePage keyDerivation={signInDeps} account={account} />
}
