import { useAccounts } from '#/accounts/accounts-context.ts'
import { InvitePage } from '#/invitations/invite-page.tsx'

/** Hands the page of an invitation what makes keys of passwords. */
export function InviteRoute() {
  return <InvitePage deriving={useAccounts().enter} />
}
