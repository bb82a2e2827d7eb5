import type { Call } from '@sallyport/client/call'
import { admin, adminLimits } from '@sallyport/contract/admin'
import { type AnalyticsPeriod, adminAnalytics } from '@sallyport/contract/admin-analytics'
import { adminBackup, backupLimits } from '@sallyport/contract/admin-backup'
import { adminOffers } from '@sallyport/contract/admin-offers'
import { adminOverview, overviewRefreshMs } from '@sallyport/contract/admin-overview'
import { adminSecurity, type SecurityPeriod } from '@sallyport/contract/admin-security'
import type { Reply } from '@sallyport/contract/endpoint'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { UserListOptions } from './users/user-list-options.ts'

/** The beginning of the keys of all queries of the admin area. */
export const adminKey = ['admin'] as const

/** How often the page of a user who is being deleted is fetched again. */
const deletionRefreshMs = 2000

export type Stats = Reply<typeof adminOverview.stats>
export type BackupStatus = Reply<typeof adminBackup.status>
export type Volume = Reply<typeof adminOverview.volumes>['volumes'][number]
export type Analytics = Reply<typeof adminAnalytics.analytics>
export type SecurityFigures = Reply<typeof adminSecurity.security>
export type AuditPage = Reply<typeof adminSecurity.audit>
export type AuditOutcome = AuditPage['rows'][number]['outcome']

export const statsQuery = (call: Call) =>
  queryOptions({
    queryKey: [...adminKey, 'stats'],
    queryFn: ({ signal }) => call(adminOverview.stats, {}, { signal }),
    refetchInterval: overviewRefreshMs,
  })

export const volumesQuery = (call: Call) =>
  queryOptions({
    queryKey: [...adminKey, 'volumes'],
    queryFn: async ({ signal }) => (await call(adminOverview.volumes, {}, { signal })).volumes,
    refetchInterval: overviewRefreshMs,
  })

export const backupQuery = (call: Call) =>
  queryOptions({
    queryKey: [...adminKey, 'backup'],
    queryFn: ({ signal }) => call(adminBackup.status, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? backupLimits.refreshMs : overviewRefreshMs),
  })

export const offersQuery = (call: Call) =>
  queryOptions({
    queryKey: [...adminKey, 'offers'],
    queryFn: async ({ signal }) => (await call(adminOffers.offers, {}, { signal })).offers,
  })

export const usersQuery = (call: Call, options: UserListOptions) =>
  queryOptions({
    queryKey: [...adminKey, 'users', options],
    queryFn: async ({ signal }) => {
      const { page, search, licence, sortBy, order } = options
      const query = {
        page: String(page),
        limit: String(adminLimits.usersPerPage),
        sort_by: sortBy,
        sort_order: order,
        license_type: licence,
        ...(search === '' ? {} : { search }),
      }
      const { users, pagination } = await call(admin.users, { query }, { signal })
      return { users, total: pagination.total }
    },
  })

export const userQuery = (call: Call, id: string) =>
  queryOptions({
    queryKey: [...adminKey, 'user', id],
    queryFn: ({ signal }) => call(admin.user, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.user.status === 'deleting' ? deletionRefreshMs : false),
  })

export const analyticsQuery = (call: Call, days: AnalyticsPeriod) =>
  queryOptions({
    queryKey: [...adminKey, 'analytics', days],
    queryFn: ({ signal }) => call(adminAnalytics.analytics, { query: { days } }, { signal }),
  })

export const securityQuery = (call: Call, days: SecurityPeriod) =>
  queryOptions({
    queryKey: [...adminKey, 'security', days],
    queryFn: ({ signal }) => call(adminSecurity.security, { query: { days } }, { signal }),
  })

/** The audit log in pages, the newest rows first; `outcome` null for all. */
export const auditQuery = (call: Call, outcome: AuditOutcome | null) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, 'audit', outcome],
    queryFn: ({ pageParam: before, signal }) => {
      const query = { ...(before === null ? {} : { before: String(before) }), ...(outcome === null ? {} : { outcome }) }
      return call(adminSecurity.audit, { query }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
