import { FormAlert } from '../inputs/form-alert.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx'

export interface ConfirmMutationDialogProps
  extends Omit<ConfirmDialogProps, 'onOpenChange' | 'onConfirm' | 'busy' | 'busyLabel'> {
  /** The result of `useMutation`. */
  readonly mutation: {
    readonly isPending: boolean
    readonly error: unknown
    readonly reset: () => void
    readonly mutate: () => void
  }
  readonly busyLabel: string
  readonly formatError: (error: unknown) => string
  readonly onClose: () => void
}

/** Confirms a mutation and runs it. After an error the dialog stays open and shows it. */
export function ConfirmMutationDialog({
  mutation,
  formatError,
  onClose,
  children,
  ...rest
}: ConfirmMutationDialogProps) {
  return (
    <ConfirmDialog
      {...rest}
      onOpenChange={() => {
        mutation.reset()
        onClose()
      }}
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate()}
    >
      {mutation.error ? <FormAlert message={formatError(mutation.error)} /> : null}
      {children}
    </ConfirmDialog>
  )
}
