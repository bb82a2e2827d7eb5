import { ApiError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import { notifyManager, onlineManager, QueryClient } from '@tanstack/react-query'

const maxRetries = 2

/**
 * Creates the query cache. An API error is a response, so only transient errors are retried. While the server is away,
 * queries wait; once it is back, those on the screen are fetched again.
 */
export function createQueryClient(connectivity: Observable<boolean>): QueryClient {
  onlineManager.setEventListener((setOnline) => connectivity.subscribe(() => setOnline(connectivity.current())))
  // By default a timer announces a started mutation, so that a second click could come first.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < maxRetries && isTransient(error),
      },
      mutations: { retry: false },
    },
  })
}

const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429
