import { type Member, organizations } from '@sallyport/contract/organizations'
import { ConfirmMutationDialog } from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
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

  return (
    <ConfirmMutationDialog
      open={open}
      mutation={removing}
      title={organizationStrings.removeTitle(member.email)}
      description={organizationStrings.removeText}
      confirmLabel={organizationStrings.remove}
      busyLabel={organizationStrings.removing}
      formatError={(error) => organizationStrings.removeFailed(messageFor(error, organizationStrings.noAnswer))}
      onClose={onClose}
    />
  )
}
