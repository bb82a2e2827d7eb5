import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { useForm } from '#/components/forms/use-form.ts'
import { visibleName } from '#/components/names/visible-name.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { membershipQuery } from '#/lib/api/membership.ts'
import { isPasswordInvalid } from '#/lib/keys/is-password-invalid.ts'
import { accountDeletionStrings } from '#/strings/account/account-deletion.ts'
import { reauthenticationStrings } from '#/strings/account/reauthentication.ts'
import { afterDeletion } from './after-deletion.ts'
import { useSecurity } from './security-context.ts'

interface DeleteAccountDialogProps {
  readonly onClose: () => void
}

/** Says what is deleted with the account, and asks for the password. */
export function DeleteAccountDialog({ onClose }: DeleteAccountDialogProps) {
  const { name, deleteAccount } = useSecurity()
  const navigate = useNavigate()
  const organization = useQuery(membershipQuery(useCall())).data?.organization
  const passwordInput = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { password: '' },
    async onSubmit({ password }) {
      await deleteAccount(password)
      await navigate('/', { replace: true, state: afterDeletion })
    },
    failed: accountDeletionStrings.failed,
    describeError: (error) => (isPasswordInvalid(error) ? { password: reauthenticationStrings.wrong } : undefined),
  })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={accountDeletionStrings.title}
      description={accountDeletionStrings.text}
      initialFocus={passwordInput}
    >
      <Form form={form}>
        {organization?.role === 'owner' ? (
          <p className="text-sm font-semibold wrap-anywhere">
            {accountDeletionStrings.closesOrganization(visibleName(organization.name))}
          </p>
        ) : null}
        <p className="text-sm">
          {accountDeletionStrings.exportFirst}{' '}
          <Link to="/?tab=files" className="font-semibold underline">
            {accountDeletionStrings.toFiles}
          </Link>
        </p>
        <HiddenUsername name={name} />
        <PasswordField ref={passwordInput} name="current-password" {...form.text('password')} />
        <DialogSubmit
          form={form}
          variant="danger"
          label={accountDeletionStrings.button}
          busyLabel={accountDeletionStrings.deleting}
          disabled={form.values.password === ''}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
