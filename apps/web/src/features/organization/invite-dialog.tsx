import { organizations } from '@sallyport/contract/organizations'
import { useForm } from '#/components/ui/hooks/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface InviteDialogProps {
  readonly mayInviteAdmins: boolean
  readonly open: boolean
  readonly onClose: () => void
}

export const InviteDialog = ({ open, onClose, mayInviteAdmins }: InviteDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title={organizationStrings.invite}
    description={organizationStrings.inviteText}
  >
    <InviteForm mayInviteAdmins={mayInviteAdmins} onClose={onClose} />
  </Dialog>
)

function InviteForm({ mayInviteAdmins, onClose }: Omit<InviteDialogProps, 'open'>) {
  const { roles, roleHints } = organizationStrings
  const inviting = useOrganizationChange((call, body: { email: string; role: 'admin' | 'member' }) =>
    call(organizations.invite, { body }),
  )
  const form = useForm({
    initial: { email: '', role: 'member' },
    async onSubmit({ email, role }) {
      await inviting.mutateAsync({ email: email.trim(), role: role === 'admin' ? 'admin' : 'member' })
      onClose()
    },
    describeError: (error) => messageFor(error, organizationStrings.inviteFailed),
  })
  const { email, role } = form.values
  return (
    <Form form={form} className="grid gap-5">
      <TextField
        label={organizationStrings.columns.email}
        type="email"
        name="email"
        autoComplete="off"
        {...form.text('email')}
      />
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
        cancelLabel={organizationStrings.cancel}
        onCancel={onClose}
      />
    </Form>
  )
}
