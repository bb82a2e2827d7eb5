import { admin, isAccountName, type UserDetail } from '@sallyport/contract/admin'
import { formatBytes } from '@sallyport/contract/formats'
import { useState } from 'react'
import { visibleName } from '#/components/names/visible-name.ts'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { RadioGroup } from '#/components/ui/inputs/radio-group.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { adminActionStrings } from '#/strings/admin/actions.ts'
import { userName } from '../user-name.tsx'
import { changeErrorMessage, type ReauthGuard, useChange } from './use-change.ts'
import { useLeaveUser } from './use-leave-user.ts'

interface DeleteDialogProps extends ReauthGuard {
  readonly detail: UserDetail
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks for the name of the account and what happens to its organization, and deletes it. */
export function DeleteDialog({ detail, open, onClose, guard, reauthDialog }: DeleteDialogProps) {
  const { user, stats, organization } = detail
  const [typed, setTyped] = useState('')
  const [newOwnerId, setNewOwnerId] = useState<string | null>(null)
  const leave = useLeaveUser()
  const change = useChange({
    guard,
    async send(call) {
      const choice = newOwnerId === null ? { close: true as const } : { to: newOwnerId }
      const body = { email: typed, ...(organization && { organization: choice }) }
      const { message, state } = await call(admin.deleteUser, { params: { id: user.id }, body })
      if (state === 'deleted') leave()
      return message
    },
    onDone: close,
  })

  function close() {
    change.reset()
    setTyped('')
    setNewOwnerId(null)
    onClose()
  }

  const strings = adminActionStrings.delete
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={strings.title(nameInSentence(userName(user)))}
      description={strings.text(strings.files(stats.currentFiles), formatBytes(user.storage_used_bytes))}
      confirmLabel={strings.confirm}
      busy={change.isPending}
      busyLabel={strings.working}
      disabled={!isAccountName(typed, user)}
      onConfirm={() => change.mutate()}
      // The button that opened the dialog is gone while the account is being deleted.
      finalFocus={() => (detail.deletion && document.getElementById('deletion-heading')) ?? true}
    >
      <div className="grid gap-4">
        {organization ? (
          <OrganizationChoice organization={organization} newOwnerId={newOwnerId} onChange={setNewOwnerId} />
        ) : null}
        <TextField
          label={typeLabelOf(user)}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <FormAlert message={change.error ? changeErrorMessage(change.error, strings.failed) : null} />
      </div>
      {reauthDialog}
    </ConfirmDialog>
  )
}

interface OrganizationChoiceProps {
  readonly organization: NonNullable<UserDetail['organization']>
  readonly newOwnerId: string | null
  readonly onChange: (newOwnerId: string | null) => void
}

function OrganizationChoice({ organization: { name, candidates }, newOwnerId, onChange }: OrganizationChoiceProps) {
  const strings = adminActionStrings.delete
  const [first] = candidates
  const choices = [
    { value: 'close', label: strings.close },
    ...(first ? [{ value: 'transfer', label: strings.transfer }] : []),
  ]
  return (
    <>
      <p className="text-sm font-semibold wrap-anywhere">{strings.ownsOrganization(nameInSentence(name))}</p>
      <RadioGroup
        label={strings.organization}
        value={newOwnerId === null ? 'close' : 'transfer'}
        options={choices}
        onChange={(choice) => onChange(choice === 'transfer' && first ? first.id : null)}
      />
      {newOwnerId === null ? null : (
        <Select
          label={strings.newOwner}
          value={newOwnerId}
          options={candidates.map((member) => ({ value: member.id, label: visibleName(userName(member)) }))}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </>
  )
}

function typeLabelOf({ email, phone }: UserDetail['user']): string {
  const strings = adminActionStrings.delete
  if (email !== '') return strings.typeEmail
  return phone === null ? strings.typeId : strings.typePhone
}
