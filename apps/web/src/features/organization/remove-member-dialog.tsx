import { type Member, organizations } from '@sallyport/contract/organizations'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface RemoveMemberDialogProps {
  readonly member: Member
  readonly open: boolean
  readonly onClose: () => void
}

export function RemoveMemberDialog({ member, open, onClose }: RemoveMemberDialogProps) {
  const params = { userId: member.user_id }
  const removing = useOrganizationChange((call) => call(organizations.removeMember, { params }), onClose)

  function close() {
    removing.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={organizationStrings.removeTitle(member.email)}
      description={organizationStrings.removeText}
      confirmLabel={organizationStrings.remove}
      cancelLabel={organizationStrings.cancel}
      busy={removing.isPending}
      busyLabel={organizationStrings.removing}
      onConfirm={() => removing.mutate()}
    >
      {removing.error ? (
        <FormAlert
          message={organizationStrings.removeFailed(messageFor(removing.error, organizationStrings.noAnswer))}
        />
      ) : null}
    </ConfirmDialog>
  )
}
