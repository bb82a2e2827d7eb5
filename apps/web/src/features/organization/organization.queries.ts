import type { Call } from '@sallyport/client/call'
import type { Reply } from '@sallyport/contract/endpoint'
import type { organizations } from '@sallyport/contract/organizations'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { subscriptionKey, subscriptionQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { dashboardQuery, membershipQuery } from '#/lib/api/membership.ts'

export type Dashboard = Reply<typeof organizations.dashboard>
export type Organization = Dashboard['organization']

/** The subscription of the seats, which only the owner may read. Undefined for all others, and until it is loaded. */
export function useSeatsSubscription({ your_role }: Organization) {
  const { data } = useQuery({ ...subscriptionQuery(useCall(), 'business'), enabled: your_role === 'owner' })
  return data
}

/** A change of the organization. Afterwards the page shows what the server has, also after a lost answer. */
export function useOrganizationChange<Input = void, Result = unknown>(
  send: (call: Call, input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => send(call, input),
    networkMode: 'always',
    onSuccess: (result) => onDone?.(result),
    onSettled() {
      void queries.invalidateQueries({ queryKey: dashboardQuery(call).queryKey })
      void queries.invalidateQueries({ queryKey: membershipQuery(call).queryKey })
      void queries.invalidateQueries({ queryKey: subscriptionKey })
    },
  })
}
