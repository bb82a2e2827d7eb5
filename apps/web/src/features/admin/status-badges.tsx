import type { UserStatus } from '@sallyport/contract/admin'
import { Badge } from '#/components/ui/badge.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'

interface StatusBadgesProps {
  readonly user: { readonly status: UserStatus; readonly is_admin: boolean }
}

/** Marks an admin, and an account that can’t sign in. */
export function StatusBadges({ user: { status, is_admin: isAdmin } }: StatusBadgesProps) {
  return (
    <>
      {isAdmin ? <Badge tone="ink">{adminUsersStrings.admin}</Badge> : null}
      {status === 'active' ? null : (
        <Badge tone={status === 'banned' ? 'rust' : 'neutral'}>{adminUsersStrings.statuses[status]}</Badge>
      )}
    </>
  )
}
