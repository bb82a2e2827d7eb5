import type { Call } from '@sallyport/client/call'
import { system } from '@sallyport/contract/system'
import { queryOptions } from '@tanstack/react-query'

const hour = 3_600_000

/** The public server configuration. In its own module, because the landing page needs no other query. */
export const configQuery = (call: Call) =>
  queryOptions({
    queryKey: ['config'],
    queryFn: () => call(system.config, {}),
    staleTime: hour,
    gcTime: Infinity,
  })
