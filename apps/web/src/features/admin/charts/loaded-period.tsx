import type { ReactNode } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'

interface LoadedPeriodProps<Data extends object> {
  /** The result of `useQuery`. */
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** The sentence for an error that has none. */
  readonly failed: string
  readonly skeleton: ReactNode
  /** Classes of the banner that shows an error. */
  readonly bannerClassName?: string
  readonly children: (data: Data) => ReactNode
}

/** Shows what a query has loaded. While another period is loading, the last one stays. */
export function LoadedPeriod<Data extends object>(props: LoadedPeriodProps<Data>) {
  const { query, failed, skeleton, bannerClassName = '', children } = props
  const shown = useLastShown(query.data ?? null)
  return (
    <div>
      {query.error ? (
        <RetryBanner onRetry={() => void query.refetch()} className={classNames(shown && 'mb-4', bannerClassName)}>
          {messageFor(query.error, failed)}
        </RetryBanner>
      ) : null}
      {shown ? (
        <div
          aria-busy={query.data === undefined}
          className={classNames('transition-opacity', query.data === undefined && 'opacity-60')}
        >
          {children(shown)}
        </div>
      ) : null}
      {shown || query.error ? null : skeleton}
    </div>
  )
}
