import { ApiError } from '@sallyport/client/errors'
import { QueryClient } from '@tanstack/react-query'

const mostRetries = 2

/** The cache of what the server said. A refusal is an answer, so only what may pass is asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < mostRetries && mayPass(error),
      },
      mutations: { retry: false },
    },
  })
}

const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500 || error.status === 429
