import { adminLimits, type ListedUser, type UserSortKey } from '@sallyport/contract/admin'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'
import { usersQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { Pagination } from './pagination.tsx'
import { UserCards } from './user-cards.tsx'
import {
  defaultOptions,
  firstOrder,
  isFiltered,
  readUserListOptions,
  type UserListOptions,
  writeUserListOptions,
} from './user-list-options.ts'
import { UsersFilters } from './users-filters.tsx'
import { UsersTable } from './users-table.tsx'

interface SetOptions {
  /** Replaces the entry of the browser's history instead of adding one. */
  readonly replace?: boolean
}

/** The accounts of the server, a page at a time. What is shown is in the URL. */
export function UsersTab() {
  const [parameters, setParameters] = useSearchParams()
  const options = readUserListOptions(parameters)
  const query = useQuery(usersQuery(useAdminCall(), options))
  // The last rows stay while others are loaded, and if that fails.
  const shown = useLastShown(query.data ?? null)
  const results = useRef<HTMLElement>(null)

  function setOptions(change: Partial<UserListOptions>, { replace = false }: SetOptions = {}) {
    const next = { ...options, page: defaultOptions.page, ...change }
    setParameters(writeUserListOptions(next), { replace, preventScrollReset: true })
  }

  function sortBy(key: UserSortKey) {
    const order = key === options.sortBy ? oppositeOrder[options.order] : firstOrder(key)
    setOptions({ sortBy: key, order })
  }

  function showPage(page: number) {
    setOptions({ page })
    results.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }

  return (
    <Card padded={false} ref={results} tabIndex={-1} aria-label={adminUsersStrings.heading} className="outline-none">
      <UsersFilters options={options} onChange={setOptions} />
      {query.error ? (
        <RetryBanner onRetry={() => void query.refetch()} className="mx-[var(--card-padding)] mb-4">
          {adminUsersStrings.failed}
        </RetryBanner>
      ) : null}
      {query.error && !shown ? null : (
        <div
          aria-busy={query.isPending}
          className={classNames('transition-opacity', query.isPending && shown !== null && 'opacity-60')}
        >
          {shown?.users.length === 0 ? (
            <NoUsers options={options} onClear={() => setOptions(cleared)} />
          ) : (
            <UserRows users={shown?.users} options={options} onSort={sortBy} />
          )}
        </div>
      )}
      {shown ? (
        <Pagination
          page={options.page}
          total={shown.total}
          isLast={shown.users.length < adminLimits.usersPerPage}
          onPage={showPage}
        />
      ) : null}
    </Card>
  )
}

interface UserRowsProps {
  /** Undefined while loading. */
  readonly users: readonly ListedUser[] | undefined
  readonly options: UserListOptions
  readonly onSort: (key: UserSortKey) => void
}

function UserRows({ users, options, onSort }: UserRowsProps) {
  const isPhone = useIsPhone()
  return isPhone ? <UserCards users={users} /> : <UsersTable users={users} options={options} onSort={onSort} />
}

interface NoUsersProps {
  readonly options: UserListOptions
  readonly onClear: () => void
}

function NoUsers({ options, onClear }: NoUsersProps) {
  if (options.page > 1) return <EmptyState title={adminUsersStrings.noMore} />
  return (
    <EmptyState
      title={adminUsersStrings.noMatch}
      action={isFiltered(options) ? <Button onClick={onClear}>{adminUsersStrings.clearFilters}</Button> : null}
    />
  )
}

const cleared = { search: defaultOptions.search, licence: defaultOptions.licence }
const oppositeOrder = { asc: 'desc', desc: 'asc' } as const
