import type { ListedUser } from '@sallyport/contract/admin'
import { formatBytes } from '@sallyport/contract/formats'
import type { ReactNode } from 'react'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'
import { formatNumber } from '#/strings/format.ts'
import { LicenceBadge } from '../licence-badge.tsx'
import { StatusBadges } from '../status-badges.tsx'
import { ShortDate } from '../times.tsx'
import { UserName } from '../user-name.tsx'
import { LastLogin } from './users-table.tsx'
import { ViewLink } from './view-link.tsx'

interface UserCardsProps {
  /** Undefined while loading. */
  readonly users: readonly ListedUser[] | undefined
}

/** The users list on a phone. */
export function UserCards({ users }: UserCardsProps) {
  if (users === undefined) return <LoadingCards />
  return (
    <ul aria-label={adminUsersStrings.heading} className="divide-y divide-line border-t border-line">
      {users.map((user) => (
        <li key={user.id} className="grid gap-2.5 pad-card">
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 gap-1.5">
              <UserName user={user} className="font-semibold wrap-anywhere" />
              <span className="flex flex-wrap gap-1.5">
                <LicenceBadge type={user.license_type} />
                <StatusBadges user={user} />
              </span>
            </div>
            <ViewLink user={user} />
          </div>
          <UserFigures user={user} />
        </li>
      ))}
    </ul>
  )
}

function UserFigures({ user }: { readonly user: ListedUser }) {
  const { columns } = adminUsersStrings
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-xs">
      <Figure label={columns.file_count}>
        <span className="num">{formatNumber(user.file_count)}</span>
      </Figure>
      <Figure label={columns.total_storage}>
        <span className="num">{formatBytes(user.total_storage_used)}</span>
      </Figure>
      <Figure label={columns.created_at}>
        <ShortDate time={user.created_at} />
      </Figure>
      <Figure label={columns.last_login_at}>
        <LastLogin time={user.last_login_at} />
      </Figure>
    </dl>
  )
}

interface FigureProps {
  readonly label: string
  readonly children: ReactNode
}

const Figure = ({ label, children }: FigureProps) => (
  <div>
    <dt className="text-ink-3">{label}</dt>
    <dd>{children}</dd>
  </div>
)

const LoadingCards = () => (
  <div role="status" aria-label={adminUsersStrings.loading} className="divide-y divide-line border-t border-line">
    {['first', 'second', 'third', 'fourth'].map((card) => (
      <div key={card} className="grid gap-2.5 pad-card">
        <Skeleton className="h-5 w-52" />
        <Skeleton className="h-6 w-20" />
        <Skeleton className="h-10 w-full" />
      </div>
    ))}
  </div>
)
