import { ApiError } from '@sallyport/client/errors'
import type { UserDetail } from '@sallyport/contract/admin'
import { useQuery } from '@tanstack/react-query'
import { MoveLeft } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Link, useLocation } from 'react-router'
import { visibleName } from '#/components/names/visible-name.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { buttonClass } from '#/components/ui/button.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { productName } from '#/strings/product.ts'
import { userQuery } from '../admin.queries.ts'
import { LicenceBadge } from '../licence-badge.tsx'
import { StatusBadges } from '../status-badges.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { UserName, userName } from '../user-name.tsx'
import { usersPath } from '../users/view-link.tsx'
import { AccessCard } from './access-card.tsx'
import { AccountCard } from './account-card.tsx'
import { ActivityCard } from './activity-card.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { FileActivityCard } from './file-activity-card.tsx'
import { LicenceCard } from './licence-card.tsx'
import { RecentFilesCard } from './recent-files-card.tsx'
import { SubscriptionCard } from './subscription-card.tsx'
import type { ReauthGuard } from './use-change.ts'
import { useLeaveUser } from './use-leave-user.ts'
import { UserActionsProvider } from './user-actions.tsx'

interface UserPageProps extends ReauthGuard {
  readonly id: string
}

/** Everything that an admin may know about an account, and what they may do to it. */
export function UserPage({ id, ...guard }: UserPageProps) {
  const { state } = useLocation()
  const query = useQuery(userQuery(useAdminCall(), id))
  const title = query.data ? visibleName(userName(query.data.user)) : adminUserStrings.title
  useTitle(`${title} · ${productName}`)
  useDeletedUser(query)
  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-7">
      <Link
        to={usersPath(state)}
        className="inline-flex min-h-8 items-center gap-1.5 rounded-segment pe-1.5 text-sm font-semibold text-ink-2 hover:text-ink pointer-coarse:min-h-11"
      >
        <MoveLeft aria-hidden size={18} strokeWidth={1.75} />
        {adminUserStrings.back}
      </Link>
      <UserContent query={query} usersPath={usersPath(state)} {...guard} />
    </div>
  )
}

interface LoadedUser {
  readonly data: UserDetail | undefined
  readonly error: unknown
}

/** Leads back to the list once the account that was being deleted is gone. */
function useDeletedUser({ data, error }: LoadedUser): void {
  const toast = useToast()
  const leave = useLeaveUser()
  const isDeleted = isUnknownUser(error) && data?.user.status === 'deleting'
  const announce = useEffectEvent(() => {
    toast({ text: adminUserStrings.deleted, tone: 'seal' })
    leave()
  })
  useEffect(() => {
    if (isDeleted) announce()
  }, [isDeleted])
}

interface UserContentProps extends ReauthGuard {
  readonly query: LoadedUser & { readonly refetch: () => unknown }
  readonly usersPath: string
}

function UserContent({ query: { data, error, refetch }, usersPath: path, ...guard }: UserContentProps) {
  if (isUnknownUser(error)) return <UnknownUser usersPath={path} />
  const failure = error ? (
    <RetryBanner onRetry={() => void refetch()} className="mt-4">
      {adminUserStrings.failed}
    </RetryBanner>
  ) : null
  if (!data) return failure ?? <LoadingUser />
  return (
    <UserActionsProvider detail={data} {...guard}>
      {failure}
      <UserHeader detail={data} />
      <div className="mt-5 grid grid-cols-1 items-start gap-5 rail:grid-cols-[23rem_minmax(0,1fr)]">
        <Column>
          <AccountCard detail={data} />
          <LicenceCard detail={data} />
          {data.user.license_type === 'personal' || data.can_sync_subscription ? (
            <SubscriptionCard detail={data} />
          ) : null}
          <AccessCard detail={data} />
          <DeletionCard detail={data} {...guard} />
        </Column>
        <Column>
          <FileActivityCard stats={data.stats} />
          <RecentFilesCard files={data.files} />
          <ActivityCard activity={data.activity} />
        </Column>
      </div>
    </UserActionsProvider>
  )
}

const Column = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid min-w-0 grid-cols-1 gap-5">{children}</div>
)

function UserHeader({ detail: { user, stats } }: { readonly detail: UserDetail }) {
  return (
    <header className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 id="user-heading" tabIndex={-1} className="heading-large text-3xl wrap-anywhere outline-none max-md:text-2xl">
        <UserName user={user} />
      </h1>
      <div className="flex flex-wrap gap-1.5">
        <StatusBadges user={user} />
        <LicenceBadge type={user.license_type} />
        {stats.isOnline ? <Badge tone="seal">{adminUserStrings.online}</Badge> : null}
      </div>
    </header>
  )
}

/** An id of no account, or something that is no id. */
const isUnknownUser = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

function UnknownUser({ usersPath: path }: { readonly usersPath: string }) {
  return (
    <EmptyState
      title={<strong className="font-semibold text-ink">{adminUserStrings.missing}</strong>}
      hint={adminUserStrings.missingHint}
      action={
        <Link to={path} className={buttonClass()}>
          {adminUserStrings.backToUsers}
        </Link>
      }
    />
  )
}

const LoadingUser = () => (
  <div role="status" aria-label={adminUserStrings.loading}>
    <Skeleton className="mt-2 h-7 w-72" />
    <div className="mt-5 grid grid-cols-1 gap-5 rail:grid-cols-[23rem_minmax(0,1fr)]">
      <Skeleton className="h-80 rounded-card" />
      <Skeleton className="h-80 rounded-card" />
    </div>
  </div>
)
