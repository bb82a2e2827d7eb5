import { useAccounts } from '#/features/account/accounts-context.ts'
import { InvitePage } from '#/features/account/invitations/invite-page.tsx'
import { AcceptInvitationPage } from '#/features/account/joining/accept-invitation-page.tsx'
import { JoinOrganizationPage } from '#/features/account/joining/join-organization-page.tsx'
import { useObservable } from '#/lib/use-observable.ts'

/** Passes the key derivation and the signed-in account to the invitation page. */
function InviteRoute() {
  const { signInDeps } = useAccounts()
  const authSession = useObservable(signInDeps.auth.state)
  const account = authSession.phase === 'signed-in' ? authSession.account : null
  return <InvitePage keyDerivation={signInDeps} account={account} />
}

/** The pages of invitations, in one file: what every visitor loads lists the files of each import. */
export const invitationPages = { InviteRoute, JoinOrganizationPage, AcceptInvitationPage }

export type InvitationPage = keyof typeof invitationPages
