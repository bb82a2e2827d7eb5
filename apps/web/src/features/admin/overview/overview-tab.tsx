import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useNow } from '#/lib/use-now.ts'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { type Stats, statsQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { FigureTiles } from './figure-tiles.tsx'
import { LicencesCard } from './licences-card.tsx'
import { ServicesCard } from './services-card.tsx'
import { sparklinePoints } from './sparkline.tsx'

const clockMs = 1000

/** How the server runs and what it stores, asked again every 30 seconds. */
export function OverviewTab() {
  const { data, error, refetch } = useQuery(statsQuery(useAdminCall()))
  const history = useHistory(data)
  return (
    <>
      {error ? (
        <RetryBanner onRetry={() => void refetch()} className="mb-4">
          {messageFor(error, strings.failed)}
        </RetryBanner>
      ) : null}
      {data === undefined && !error ? <LoadingOverview /> : null}
      {data ? (
        <div className={classNames('grid gap-4 transition-opacity', error && 'opacity-60')}>
          <FigureTiles stats={data} history={history} />
          <div className="grid items-start gap-4 md:grid-cols-2">
            <ServicesCard stats={data} />
            <LicencesCard stats={data} />
          </div>
          <Updated at={data.measured_at} />
        </div>
      ) : null}
    </>
  )
}

/** The last answers, oldest first. They are kept while the tab is open. */
function useHistory(data: Stats | undefined): readonly Stats[] {
  const [history, setHistory] = useState<readonly Stats[]>([])
  if (data && history.at(-1)?.measured_at !== data.measured_at)
    setHistory([...history.slice(1 - sparklinePoints), data])
  return history
}

function Updated({ at }: { readonly at: number }) {
  const secondsAgo = Math.max(0, Math.floor((useNow(clockMs) - at) / 1000))
  return <p className="text-end text-xs text-ink-3 tabular-nums">{strings.updated(secondsAgo)}</p>
}

const LoadingOverview = () => (
  <div className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
    {Object.keys(strings.tiles).map((tile) => (
      <Skeleton key={tile} className="h-36 rounded-card!" />
    ))}
  </div>
)
