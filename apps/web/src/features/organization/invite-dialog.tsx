import { organizations } from '@sallyport/contract/organizations'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface InviteDialogProps {
  readonly mayInviteAdmins: boolean
  readonly open: boolean
  readonly onClose: () => void
  /** Called with the sentence of the server. */
  readonly onInvited: (message: string) => void
}

export const InviteDialog = ({ open, onClose, ...rest }: InviteDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title={organizationStrings.invite}
    description={organizationStrings.inviteText}
  >
    <InviteForm {...rest} onClose={onClose} />
  </Dialog>
)

function InviteForm({ mayInviteAdmins, onClose, onInvited }: Omit<InviteDialogProps, 'open'>) {
  const { roles, roleHints } = organizationStrings
  const inviting = useOrganizationChange((call, body: { email: string; role: 'admin' | 'member' }) =>
    call(organizations.invite, { body }),
  )
  const form = useForm({
    initial: { email: '', role: 'member' },
    async onSubmit({ email, role }) {
      const body = { email: email.trim(), role: role === 'admin' ? 'admin' : 'member' } as const
      onInvited((await inviting.mutateAsync(body)).message)
      onClose()
    },
    failed: organizationStrings.inviteFailed,
  })
  const { email, role } = form.values
  return (
    <Form form={form} className="grid gap-5">
      <EmailField autoComplete="off" {...form.text('email')} />
      {mayInviteAdmins ? (
        <Select
          label={organizationStrings.role}
          hint={role === 'admin' ? roleHints.admin : roleHints.member}
          options={[
            { value: 'member', label: roles.member },
            { value: 'admin', label: roles.admin },
          ]}
          {...form.text('role')}
        />
      ) : null}
      <DialogSubmit
        form={form}
        label={organizationStrings.send}
        busyLabel={organizationStrings.sending}
        disabled={email.trim() === ''}
        onCancel={onClose}
      />
    </Form>
  )
}
