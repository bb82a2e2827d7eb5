import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { adminAuditStrings as strings } from '#/strings/admin/audit.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { type AuditOutcome, auditQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { AuditChain } from './audit-chain.tsx'
import { AuditRows } from './audit-rows.tsx'

const outcomes = ['done', 'refused', 'failed'] as const satisfies readonly AuditOutcome[]
const all = 'all'

/** What admins have done, the newest first, and whether the log is as it was written. The filter is in the URL. */
export function AuditCard() {
  const [outcome, setOutcome] = useOutcome()
  const query = useInfiniteQuery(auditQuery(useAdminCall(), outcome))
  const [newest] = query.data?.pages ?? []
  return (
    <Card aria-labelledby="audit-heading" padded={false}>
      <div className="pad-card">
        <CardHeading id="audit-heading" title={strings.heading}>
          <Select
            label={strings.filter}
            hideLabel
            fieldClassName="w-40"
            value={outcome ?? all}
            options={[
              { value: all, label: strings.allOutcomes },
              ...outcomes.map((value) => ({ value, label: strings.outcomes[value] })),
            ]}
            onChange={({ target }) => setOutcome(outcomes.find((one) => one === target.value) ?? null)}
          />
        </CardHeading>
        <p className="mt-1 max-w-reading text-sm text-ink-2">{strings.intro}</p>
        {newest ? <AuditChain verified={newest.verified} /> : null}
        {query.isLoadingError ? (
          <RetryBanner onRetry={() => void query.refetch()} className="mt-3">
            {messageFor(query.error, strings.failed)}
          </RetryBanner>
        ) : null}
        {query.isPending ? <Skeleton className="mt-3 h-40" /> : null}
      </div>
      {newest?.rows.length === 0 ? <NoRows isFiltered={outcome !== null} onShowAll={() => setOutcome(null)} /> : null}
      {newest && newest.rows.length > 0 ? (
        <AuditRows
          rows={query.data?.pages.flatMap(({ rows }) => rows) ?? []}
          hasMore={query.hasNextPage}
          isLoadingMore={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : null}
          onLoadMore={() => void query.fetchNextPage()}
        />
      ) : null}
    </Card>
  )
}

function useOutcome(): readonly [AuditOutcome | null, (outcome: AuditOutcome | null) => void] {
  const [parameters, setParameters] = useSearchParams()

  function setOutcome(outcome: AuditOutcome | null) {
    if (outcome === null) parameters.delete('outcome')
    else parameters.set('outcome', outcome)
    setParameters(parameters, { preventScrollReset: true })
  }

  return [outcomes.find((one) => one === parameters.get('outcome')) ?? null, setOutcome]
}

interface NoRowsProps {
  readonly isFiltered: boolean
  readonly onShowAll: () => void
}

const NoRows = ({ isFiltered, onShowAll }: NoRowsProps) =>
  isFiltered ? (
    <EmptyState title={strings.noMatch} action={<Button onClick={onShowAll}>{strings.showAll}</Button>} />
  ) : (
    <EmptyState title={strings.none} />
  )
