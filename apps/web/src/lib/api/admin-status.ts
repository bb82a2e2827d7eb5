import type { Call } from '@sallyport/client/call'
import { endpoint } from '@sallyport/contract/endpoint'
import { Succeeded } from '@sallyport/contract/fields'
import { queryOptions, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { useCall } from './api-context.ts'

/** The same as `admin.status` of the contract, without the calls of the admin area: every signed-in user needs it. */
export const adminStatus = endpoint({
  method: 'GET',
  path: '/api/admin/status',
  summary: 'Get whether I am an admin of this server',
  access: 'account',
  reply: z.object({ success: Succeeded, is_admin: z.boolean() }),
})

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
