import { loadCode } from '@sallyport/browser/load-code'
import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { membership } from '@sallyport/contract/membership'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCall } from './api-context.ts'

export const membershipQuery = (call: Call) =>
  queryOptions({
    queryKey: ['organization-membership'],
    queryFn: () => call(membership, {}),
    // Every component that needs it shares the first answer.
    refetchOnMount: false,
  })

/** The organization as its owner and admins see it. Its part of the contract is loaded for them only. */
export const dashboardQuery = (call: Call) =>
  queryOptions({
    queryKey: ['organization-dashboard'],
    queryFn: async () => {
      const { organizations } = await loadCode(() => import('@sallyport/contract/organizations'))
      return call(organizations.dashboard, {})
    },
  })

interface OrganizationAccess {
  /** Whether the dashboard of an organization is open to the user; undefined until the server has answered. */
  readonly isManager: boolean | undefined
  /** Asks again; null unless the server could not answer. */
  readonly retry: (() => void) | null
}

/** Whether the signed-in user owns or manages an organization. The answer for the dashboard itself decides. */
export function useOrganizationAccess(): OrganizationAccess {
  const call = useCall()
  const own = useQuery(membershipQuery(call))
  const role = own.data?.organization?.role
  const mayManage = role === 'owner' || role === 'admin'
  const dashboard = useQuery({ ...dashboardQuery(call), enabled: mayManage })
  const failed = [own, dashboard].find(({ isError, data }) => isError && data === undefined)
  if (failed && own.data === undefined) return { isManager: undefined, retry: () => void failed.refetch() }
  if (own.data === undefined) return { isManager: undefined, retry: null }
  // The role has changed since, if the dashboard is denied.
  const isDenied = dashboard.error instanceof ApiError && [403, 404].includes(dashboard.error.status)
  if (!mayManage || isDenied) return { isManager: false, retry: null }
  if (dashboard.data) return { isManager: true, retry: null }
  return { isManager: undefined, retry: failed ? () => void failed.refetch() : null }
}
