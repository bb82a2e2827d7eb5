import type { Call } from '@sallyport/client/call'
import { system } from '@sallyport/contract/system'
import { queryOptions } from '@tanstack/react-query'

const hour = 3_600_000

/** What the server says of itself to everybody; apart from the other queries, as the way in needs no more. */
export const configQuery = (call: Call) =>
  queryOptions({
    queryKey: ['config'],
    queryFn: () => call(system.config, {}),
    staleTime: hour,
    gcTime: Infinity,
  })
