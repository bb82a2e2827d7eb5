interface OrganizationRow {
  id: string
  name: string
  owner_id: string
  created_at: number
}

/** A member, the owner included. A user belongs to one organization at most. */
interface OrganizationMemberRow {
  user_id: string
  organization_id: string
  /** `owner`, `admin` or `member`. */
  role: string
  joined_at: number
}

interface OrganizationInvitationRow {
  id: string
  organization_id: string
  /** In lower case. */
  email: string
  /** `admin` or `member`. */
  role: string
  /** Of the token in the newest email. */
  token_hash: string
  /** Null once that account was deleted. */
  invited_by: string | null
  created_at: number
  sent_at: number
  expires_at: number
}

export interface OrganizationTables {
  organizations: OrganizationRow
  organization_members: OrganizationMemberRow
  organization_invitations: OrganizationInvitationRow
}
