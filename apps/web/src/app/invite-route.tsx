import { useAccounts } from '#/features/account/accounts-context.ts'
import { InvitePage } from '#/features/account/invitations/invite-page.tsx'

/** Passes the key derivation to the invitation page. */
export function InviteRoute() {
  return <InvitePage keyDerivation={useAccounts().signInDeps} />
}
