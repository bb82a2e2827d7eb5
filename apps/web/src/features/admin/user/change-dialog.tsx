import {
  ConfirmMutationDialog,
  type ConfirmMutationDialogProps,
} from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
import { type ChangeInput, changeErrorMessage, type ReauthGuard, useChange } from './use-change.ts'

interface ChangeDialogProps
  extends Omit<ConfirmMutationDialogProps, 'mutation' | 'formatError' | 'children'>,
    ReauthGuard,
    Pick<ChangeInput<void>, 'send'> {
  /** Shown after an error for which the server has no sentence. */
  readonly failed: string
}

/** Confirms a change of an admin and sends it. */
export function ChangeDialog({ send, failed, guard, reauthDialog, ...dialog }: ChangeDialogProps) {
  return (
    <ConfirmMutationDialog
      {...dialog}
      mutation={useChange({ guard, send, onDone: dialog.onClose })}
      formatError={(error) => changeErrorMessage(error, failed)}
    >
      {dialog.open ? reauthDialog : null}
    </ConfirmMutationDialog>
  )
}
