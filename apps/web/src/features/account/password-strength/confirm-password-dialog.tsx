import { useRef } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { isPasswordInvalid } from '#/lib/keys/is-password-invalid.ts'
import { reauthenticationStrings } from '#/strings/account/reauthentication.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { useReauthentication } from './reauthentication-context.ts'

interface ConfirmPasswordDialogProps {
  /** Why the password is needed; by default for a change of the account. */
  readonly reason?: string | undefined
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

/** Asks for the account's password before a security-relevant change. */
export function ConfirmPasswordDialog({ reason, onConfirmed, onCancel }: ConfirmPasswordDialogProps) {
  const { name, confirm } = useReauthentication()
  const passwordInput = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { password: '' },
    async onSubmit({ password }) {
      await confirm(password)
      onConfirmed()
    },
    describeError: (error) => ({ password: confirmErrorMessage(error) }),
  })

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title={reauthenticationStrings.title}
      description={reason ?? reauthenticationStrings.text}
      initialFocus={passwordInput}
    >
      <Form form={form}>
        <HiddenUsername name={name} />
        <PasswordField ref={passwordInput} name="current-password" {...form.text('password')} />
        <DialogSubmit
          form={form}
          label={reauthenticationStrings.confirm}
          busyLabel={reauthenticationStrings.checking}
          disabled={form.values.password === ''}
          onCancel={onCancel}
        />
      </Form>
    </Dialog>
  )
}

const confirmErrorMessage = (error: unknown): string =>
  isPasswordInvalid(error) ? reauthenticationStrings.wrong : messageFor(error, reauthenticationStrings.failed)
