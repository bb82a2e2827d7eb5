import type { ReactNode } from 'react'
import { RetryBanner } from './retry-banner.tsx'
import { Skeleton } from './skeleton.tsx'

interface LoadedProps<Data> {
  /** The result of `useQuery`. */
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** Something else that the children need is still loading. */
  readonly isLoading?: boolean
  readonly formatError: (error: unknown) => string
  readonly skeletonClassName: string
  readonly className?: string
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query, a skeleton until it arrives, or the error with a retry button. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, isLoading = false, formatError, skeletonClassName, className = '', children } = props
  const { data, error, refetch } = query
  if (isLoading || (data === undefined && !error)) return <Skeleton className={`${className} ${skeletonClassName}`} />
  if (data !== undefined) return children(data)
  return (
    <RetryBanner onRetry={() => void refetch()} className={className}>
      {formatError(error)}
    </RetryBanner>
  )
}
