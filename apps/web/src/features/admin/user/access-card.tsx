import type { AdminAction, UserDetail } from '@sallyport/contract/admin'
import { Button, type ButtonVariant } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { useUserActions } from './user-actions.tsx'

/** Whether the user can sign in and is an admin, and the buttons that change it. */
export function AccessCard({ detail: { user, abilities } }: { readonly detail: UserDetail }) {
  const { ask } = useUserActions()
  const isBanned = user.status === 'banned'
  const button = (action: AskedAction, label: string, variant: ButtonVariant = 'secondary') =>
    abilities[action] ? (
      <Button variant={variant} onClick={() => ask({ type: action })}>
        {label}
      </Button>
    ) : null
  return (
    <>
      <Card aria-labelledby="admin-heading">
        <CardHeading id="admin-heading" title={adminUserStrings.adminStatus} />
        <p className="mt-1 text-sm text-ink-2">
          {user.is_admin ? adminUserStrings.isAdmin : adminUserStrings.isNoAdmin}
        </p>
        <div className="mt-4 empty:hidden">
          {user.is_admin
            ? button('demote', adminUserStrings.demote, 'danger-outline')
            : button('promote', adminUserStrings.promote)}
        </div>
      </Card>
      <Card aria-labelledby="access-heading">
        <CardHeading id="access-heading" title={adminUserStrings.access} />
        <p className="mt-1 text-sm text-ink-2">{adminUserStrings.accessText[user.status]}</p>
        <div className="mt-4 flex flex-wrap gap-2.5 empty:hidden">
          {button('sign-out', adminUserStrings.signOut)}
          {isBanned ? button('unban', adminUserStrings.unban) : button('ban', adminUserStrings.ban, 'danger-outline')}
        </div>
      </Card>
    </>
  )
}

type AskedAction = Extract<AdminAction, 'promote' | 'demote' | 'ban' | 'unban' | 'sign-out'>
