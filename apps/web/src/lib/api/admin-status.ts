import type { Call } from '@sallyport/client/call'
import { adminStatus } from '@sallyport/contract/admin-status'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCall } from './api-context.ts'

export const adminStatusQuery = (call: Call) =>
  queryOptions({
    queryKey: ['admin-status'],
    queryFn: async () => (await call(adminStatus, {})).is_admin,
    // Every component that needs it shares the first answer.
    refetchOnMount: false,
  })

interface AdminStatus {
  /** Undefined until the server has answered. */
  readonly isAdmin: boolean | undefined
  /** Asks again; null unless the server could not answer. */
  readonly retry: (() => void) | null
}

/** Whether the signed-in user is an admin of this server. */
export function useAdminStatus(): AdminStatus {
  const { data, isError, refetch } = useQuery(adminStatusQuery(useCall()))
  return { isAdmin: data, retry: isError && data === undefined ? () => void refetch() : null }
}
