import type { ReactNode } from 'react'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { type DescribeError, messageFor } from '#/strings/errors/message-for.ts'

interface LoadedProps<Data> {
  /** The result of `useQuery`. */
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** Something else that the children need is still loading. */
  readonly isLoading?: boolean
  /** Shown for an error that has no sentence of its own. */
  readonly failed: string
  readonly describeError?: DescribeError
  readonly skeletonClassName: string
  readonly className?: string
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query, a skeleton until it arrives, or the error with a retry button. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, isLoading = false, failed, describeError, skeletonClassName, className = '', children } = props
  const { data, error, refetch } = query
  if (isLoading || (data === undefined && !error)) return <Skeleton className={`${className} ${skeletonClassName}`} />
  if (data !== undefined) return children(data)
  return (
    <RetryBanner onRetry={() => void refetch()} className={className}>
      {messageFor(error, failed, describeError)}
    </RetryBanner>
  )
}
