import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { adminStatusQuery } from '#/lib/api/admin-status.ts'
import { useCall } from '#/lib/api/api-context.ts'

/** Returns the function that calls the API. Once the server answers that the user is no admin, the area closes. */
export function useAdminCall(): Call {
  const call = useCall()
  const queries = useQueryClient()
  return useMemo(
    (): Call => async (endpoint, input, options) => {
      try {
        return await call(endpoint, input, options)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'FORBIDDEN')
          queries.setQueryData(adminStatusQuery(call).queryKey, false)
        throw error
      }
    },
    [call, queries],
  )
}
