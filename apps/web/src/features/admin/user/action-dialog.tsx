import type { UserDetail } from '@sallyport/contract/admin'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { ChangeDialog } from './change-dialog.tsx'
import type { ReauthGuard } from './use-change.ts'
import { type ConfirmedAction, questionOf, runAction } from './user-action.ts'

interface ActionDialogProps extends ReauthGuard {
  readonly action: ConfirmedAction
  readonly detail: UserDetail
  readonly open: boolean
  readonly onClose: () => void
}

/** Confirms a change of an account and sends it. */
export function ActionDialog({ action, detail, ...dialog }: ActionDialogProps) {
  const { title, text, confirm, cancel, tone, failed } = questionOf(action, detail)
  return (
    <ChangeDialog
      {...dialog}
      send={(call) => runAction(call, detail.user.id, action)}
      failed={failed}
      title={title}
      description={text}
      confirmLabel={confirm}
      {...(cancel === undefined ? {} : { cancelLabel: cancel })}
      tone={tone}
      busyLabel={adminActionStrings.working}
      finalFocus={() => focusAfter(action)}
    />
  )
}

/** The button of a cancelled subscription is gone; all others stay, if with another label. */
const focusAfter = ({ type }: ConfirmedAction): HTMLElement | boolean =>
  type === 'cancel-subscription' ? (document.getElementById('subscription-heading') ?? true) : true
