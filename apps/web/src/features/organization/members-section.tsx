import { formatBytes } from '@sallyport/contract/formats'
import { type Member, organizations } from '@sallyport/contract/organizations'
import { useState } from 'react'
import { Name } from '#/components/names/name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { DataTable, type TableColumn } from '#/components/ui/data-table.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate, formatNumber, formatShortDate } from '#/strings/format.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

interface MembersSectionProps {
  readonly members: readonly Member[]
}

/** The members with what they use. Each can be removed, or given another role, as far as the server allows it. */
export function MembersSection({ members }: MembersSectionProps) {
  const [removed, setRemoved] = useState<Member | null>(null)
  const [isRemoving, setRemoving] = useState(false)

  function askToRemove(member: Member) {
    setRemoved(member)
    setRemoving(true)
  }

  return (
    <Card aria-labelledby="members-heading">
      <CardHeading id="members-heading" title={organizationStrings.membersHeading} />
      <div className="mt-3 max-md:hidden">
        <DataTable
          label={organizationStrings.membersHeading}
          columns={columnsOf(askToRemove)}
          rows={members}
          rowKey={({ id }) => id}
        />
      </div>
      <ul className="mt-3 grid md:hidden">
        {members.map((member) => (
          <MemberCard key={member.id} member={member} onRemove={() => askToRemove(member)} />
        ))}
      </ul>
      {removed ? <RemoveMemberDialog member={removed} open={isRemoving} onClose={() => setRemoving(false)} /> : null}
    </Card>
  )
}

function columnsOf(onRemove: (member: Member) => void): TableColumn<Member>[] {
  const { columns } = organizationStrings
  return [
    {
      id: 'email',
      header: columns.email,
      className: 'w-full max-w-0 min-w-40',
      cell: ({ email }) => <Name className="block truncate">{email}</Name>,
    },
    { id: 'role', header: columns.role, cell: (member) => <Role member={member} /> },
    {
      id: 'joined',
      header: columns.joined,
      className: 'whitespace-nowrap text-ink-2',
      cell: ({ joined_at }) => formatShortDate(joined_at),
    },
    {
      id: 'storage',
      header: columns.storage,
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ storage_used }) => <span className="num">{formatBytes(storage_used)}</span>,
    },
    {
      id: 'files',
      header: columns.files,
      align: 'end',
      cell: ({ file_count }) => <span className="num">{formatNumber(file_count)}</span>,
    },
    {
      id: 'actions',
      header: columns.actions,
      align: 'end',
      cell: (member) => <RemoveButton member={member} onRemove={() => onRemove(member)} />,
    },
  ]
}

interface MemberProps {
  readonly member: Member
  readonly onRemove: () => void
}

function MemberCard({ member, onRemove }: MemberProps) {
  const { columns } = organizationStrings
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-t-0">
      <Name className="text-sm font-semibold wrap-anywhere">{member.email}</Name>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Role member={member} />
        <RemoveButton member={member} onRemove={onRemove} />
      </div>
      <p className="text-xs text-ink-2">
        {columns.joined} {formatDate(member.joined_at)}
      </p>
      <p className="text-xs text-ink-2">
        {columns.storage} <span className="num">{formatBytes(member.storage_used)}</span> · {columns.files}{' '}
        <span className="num">{formatNumber(member.file_count)}</span>
      </p>
    </li>
  )
}

const RemoveButton = ({ member, onRemove }: MemberProps) =>
  member.abilities.remove ? (
    <Button size="compact" aria-label={organizationStrings.removeOf(member.email)} onClick={onRemove}>
      {organizationStrings.remove}
    </Button>
  ) : null

/** The role, which the owner can change. */
function Role({ member: { user_id: userId, email, role, abilities } }: { readonly member: Member }) {
  const change = useOrganizationChange((call, next: 'admin' | 'member') =>
    call(organizations.setRole, { params: { userId }, body: { role: next } }),
  )
  const { roles } = organizationStrings
  if (!abilities.change_role) return <span className="text-sm">{roles[role]}</span>
  return (
    <span className="grid min-w-36 py-1">
      <Select
        label={organizationStrings.roleOf(email)}
        hideLabel
        value={change.isPending ? change.variables : role}
        disabled={change.isPending}
        options={[
          { value: 'member', label: roles.member },
          { value: 'admin', label: roles.admin },
        ]}
        onChange={({ target }) => change.mutate(target.value === 'admin' ? 'admin' : 'member')}
      />
      {change.error ? <FormAlert message={messageFor(change.error, organizationStrings.roleFailed)} /> : null}
    </span>
  )
}
