import type { UserDetail } from '@sallyport/contract/admin'
import { createContext, type ReactNode, useMemo, useState } from 'react'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'
import { ActionDialog } from './action-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import type { ReauthGuard } from './use-change.ts'
import type { ConfirmedAction, UserAction } from './user-action.ts'

interface UserActions {
  /** Asks for what an action needs, then runs it. */
  readonly ask: (action: UserAction) => void
}

const UserActionsContext = createContext<UserActions | null>(null)

export const useUserActions = (): UserActions => useRequiredContext(UserActionsContext)

interface UserActionsProviderProps extends ReauthGuard {
  readonly detail: UserDetail
  readonly children: ReactNode
}

/** Shows the dialogs of the actions that the parts below ask for. */
export function UserActionsProvider({ detail, children, ...guard }: UserActionsProviderProps) {
  const [asked, setAsked] = useState<UserAction | null>(null)
  const shown = useLastShown(asked)
  const actions = useMemo(() => ({ ask: setAsked }), [])
  const dialog = { detail, open: asked !== null, onClose: () => setAsked(null), ...guard }
  return (
    <UserActionsContext value={actions}>
      {children}
      {shown && isConfirmed(shown) ? <ActionDialog action={shown} {...dialog} /> : null}
      {shown?.type === 'extend-licence' ? <ExtendDialog {...dialog} /> : null}
      {shown?.type === 'delete' ? <DeleteDialog {...dialog} /> : null}
    </UserActionsContext>
  )
}

const isConfirmed = (action: UserAction): action is ConfirmedAction =>
  action.type !== 'extend-licence' && action.type !== 'delete'
