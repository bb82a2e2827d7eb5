import { controlStrings } from '#/strings/controls.ts'
import { Button } from '../button.tsx'
import type { SubmitProps } from './form.tsx'
import { FormAlert } from './form-alert.tsx'

interface DialogSubmitProps extends Omit<SubmitProps, 'ref'> {
  readonly cancelLabel?: string
  readonly onCancel: () => void
}

/** The message of a form in a dialog, and its two buttons. */
export function DialogSubmit({
  form,
  label,
  busyLabel,
  disabled,
  cancelLabel = controlStrings.cancel,
  onCancel,
  variant = 'primary',
  children,
}: DialogSubmitProps) {
  return (
    <>
      <FormAlert message={form.messages.form} />
      {children}
      <div className="dialog-actions mt-0!">
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button type="submit" variant={variant} disabled={disabled} busy={form.isBusy} busyLabel={busyLabel}>
          {label}
        </Button>
      </div>
    </>
  )
}
