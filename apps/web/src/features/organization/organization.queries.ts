import type { Call } from '@sallyport/client/call'
import type { Reply } from '@sallyport/contract/endpoint'
import type { organizations } from '@sallyport/contract/organizations'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '#/lib/api/api-context.ts'
import { dashboardQuery, membershipQuery } from '#/lib/api/membership.ts'

export type Dashboard = Reply<typeof organizations.dashboard>
export type Organization = Dashboard['organization']

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
    },
  })
}
