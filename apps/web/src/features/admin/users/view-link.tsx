import { Link, useLocation } from 'react-router'
import { buttonClass } from '#/components/ui/button.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'
import { UserName } from '../user-name.tsx'

interface ViewLinkProps {
  readonly user: { readonly id: string; readonly email: string; readonly phone: string | null }
}

/** Opens the page of a user, which leads back to the list as it is now. */
export function ViewLink({ user }: ViewLinkProps) {
  const { search } = useLocation()
  return (
    <Link to={`/admin/user/${user.id}`} state={{ usersSearch: search }} className={buttonClass('secondary', 'compact')}>
      {adminUsersStrings.view}
      <UserName user={user} className="sr-only" />
    </Link>
  )
}

/** The address of the users list that a page of a user was opened from. */
export function usersPath(state: unknown): string {
  const search = (state as { readonly usersSearch?: unknown } | null)?.usersSearch
  return typeof search === 'string' && search.startsWith('?') ? `/admin${search}` : '/admin?tab=users'
}
