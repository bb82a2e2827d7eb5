import type { UserDetail } from '@sallyport/contract/admin'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { changeErrorMessage, type ReauthGuard, useChange } from './use-change.ts'
import { type ConfirmedAction, questionOf, runAction } from './user-action.ts'

interface ActionDialogProps extends ReauthGuard {
  readonly action: ConfirmedAction
  readonly detail: UserDetail
  readonly open: boolean
  readonly onClose: () => void
}

/** Confirms a change of an account and sends it. */
export function ActionDialog({ action, detail, open, onClose, guard, reauthDialog }: ActionDialogProps) {
  const change = useChange({
    guard,
    send: (call) => runAction(call, detail.user.id, action),
    onDone: onClose,
  })
  const { title, text, confirm, cancel, tone, failed } = questionOf(action, detail)

  function close() {
    change.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={title}
      description={text}
      confirmLabel={confirm}
      cancelLabel={cancel}
      tone={tone}
      busy={change.isPending}
      busyLabel={adminActionStrings.working}
      onConfirm={() => change.mutate()}
      finalFocus={() => focusAfter(action)}
    >
      {change.error ? <FormAlert message={changeErrorMessage(change.error, failed)} /> : null}
      {reauthDialog}
    </ConfirmDialog>
  )
}

/** The button of a cancelled subscription is gone; all others stay, if with another label. */
const focusAfter = ({ type }: ConfirmedAction): HTMLElement | boolean =>
  type === 'cancel-subscription' ? (document.getElementById('subscription-heading') ?? true) : true
