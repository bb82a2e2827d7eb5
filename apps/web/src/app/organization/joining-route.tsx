import { AcceptInvitationPage } from '#/features/account/joining/accept-invitation-page.tsx'
import { JoinOrganizationPage } from '#/features/account/joining/join-organization-page.tsx'

/** The pages of an invitation to an organization, in one file: what every visitor loads lists the files of each import. */
export const joiningPages = { AcceptInvitationPage, JoinOrganizationPage }
