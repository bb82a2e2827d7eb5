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

/** Whether the signed-in user is an admin of this server; undefined until the server has answered. */
export function useIsAdmin(): boolean | undefined {
  const { data, isError } = useQuery(adminStatusQuery(useCall()))
  return data ?? (isError ? false : undefined)
}
