import type { ListedUser, UserSortKey } from '@sallyport/contract/admin'
import { formatBytes } from '@sallyport/contract/formats'
import { visibleName } from '#/components/names/visible-name.ts'
import { DataTable, type TableColumn } from '#/components/ui/data-table.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'
import { formatNumber } from '#/strings/format.ts'
import { LicenceBadge } from '../licence-badge.tsx'
import { StatusBadges } from '../status-badges.tsx'
import { ShortDate, TimeAgo } from '../times.tsx'
import { UserName, userName } from '../user-name.tsx'
import type { UserListOptions } from './user-list-options.ts'
import { ViewLink } from './view-link.tsx'

interface UsersTableProps {
  /** Undefined while loading. */
  readonly users: readonly ListedUser[] | undefined
  readonly options: UserListOptions
  readonly onSort: (key: UserSortKey) => void
}

export function UsersTable({ users, options: { sortBy, order }, onSort }: UsersTableProps) {
  return (
    <DataTable
      label={users === undefined ? adminUsersStrings.loading : adminUsersStrings.heading}
      columns={columnsOfUsers()}
      rows={users}
      rowKey={({ id }) => id}
      sort={{ key: sortBy, order }}
      onSort={onSort}
    />
  )
}

function columnsOfUsers(): TableColumn<ListedUser, UserSortKey>[] {
  const { columns } = adminUsersStrings
  const sortable = (key: UserSortKey) => ({ id: key, header: columns[key], sortKey: key })
  return [
    {
      ...sortable('email'),
      // Takes the width that the other columns leave.
      className: 'w-full max-w-0 min-w-40',
      cell: (user) => (
        <span className="flex items-center gap-2">
          <UserName user={user} className="truncate" title={visibleName(userName(user))} />
          <StatusBadges user={user} />
        </span>
      ),
    },
    { ...sortable('license_type'), cell: (user) => <LicenceBadge type={user.license_type} /> },
    {
      ...sortable('file_count'),
      align: 'end',
      cell: (user) => <span className="num">{formatNumber(user.file_count)}</span>,
    },
    {
      ...sortable('total_storage'),
      align: 'end',
      className: 'whitespace-nowrap',
      cell: (user) => <span className="num">{formatBytes(user.total_storage_used)}</span>,
    },
    {
      ...sortable('created_at'),
      className: 'whitespace-nowrap text-ink-2',
      cell: (user) => <ShortDate time={user.created_at} />,
    },
    {
      ...sortable('last_login_at'),
      className: 'whitespace-nowrap text-ink-2',
      cell: (user) => <LastLogin time={user.last_login_at} />,
    },
    {
      id: 'actions',
      header: columns.actions,
      hideHeader: true,
      align: 'end',
      cell: (user) => <ViewLink user={user} />,
    },
  ]
}

export const LastLogin = ({ time }: { readonly time: number | null }) =>
  time === null ? adminUsersStrings.never : <TimeAgo time={time} />
