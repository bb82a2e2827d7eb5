import { type AuditRow, securityLimits } from '@sallyport/contract/admin-security'
import { useEffect, useRef } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { DataTable } from '#/components/ui/data-table.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { adminAuditStrings as strings } from '#/strings/admin/audit.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { columnsOfAudit } from './audit-columns.tsx'
import { RowCards } from './row-cards.tsx'

interface AuditRowsProps {
  readonly rows: readonly AuditRow[]
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Why the following rows could not be loaded. */
  readonly error: unknown
  readonly onLoadMore: () => void
}

/** The loaded rows, and what loads the following ones. */
export function AuditRows({ rows, hasMore, isLoadingMore, error, onLoadMore }: AuditRowsProps) {
  const isPhone = useIsPhone()
  const isEndShown = !hasMore && rows.length > securityLimits.auditRowsPerPage
  const table = { label: strings.heading, columns: columnsOfAudit(), rows, rowKey: ({ seq }: AuditRow) => String(seq) }
  return (
    <>
      {isPhone ? <RowCards {...table} /> : <DataTable {...table} />}
      {error || hasMore || isEndShown ? (
        <footer className="flex justify-center border-t border-line p-3.5">
          {error ? (
            <RetryBanner onRetry={onLoadMore} className="flex-1">
              {messageFor(error, strings.moreFailed)}
            </RetryBanner>
          ) : null}
          {hasMore && !error ? (
            <Button size="compact" busy={isLoadingMore} busyLabel={strings.loadingMore} onClick={onLoadMore}>
              {strings.loadMore}
            </Button>
          ) : null}
          {isEndShown ? <EndOfLog /> : null}
        </footer>
      ) : null}
    </>
  )
}

/** Takes the focus over from the button that has loaded the last rows and is gone. */
function EndOfLog() {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) end.current?.focus({ preventScroll: true })
  }, [])
  return (
    <p ref={end} tabIndex={-1} className="text-xs text-ink-3 outline-none">
      {strings.end}
    </p>
  )
}
