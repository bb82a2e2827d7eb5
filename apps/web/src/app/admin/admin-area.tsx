import { useMatch } from 'react-router'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import { AdminDashboard } from '#/features/admin/admin-dashboard.tsx'
import { UserPage } from '#/features/admin/user/user-page.tsx'
import { adminActionStrings } from '#/strings/admin/actions.ts'

/** The pages of admins: the dashboard, and a user if the URL names one. */
export function AdminArea() {
  const id = useMatch('/admin/user/:id')?.params.id
  const reauth = useReauthGuard(adminActionStrings.reauthentication)
  return id === undefined ? <AdminDashboard {...reauth} /> : <UserPage key={id} id={id} {...reauth} />
}
