import { Button } from '#/components/ui/button.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'

interface PaginationProps {
  /** Counted from 1. */
  readonly page: number
  /** The number of users on all pages. */
  readonly total: number
  readonly isLast: boolean
  readonly onPage: (page: number) => void
}

export function Pagination({ page, total, isLast, onPage }: PaginationProps) {
  return (
    <nav
      aria-label={adminUsersStrings.pages}
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line pad-card py-3.5"
    >
      <p role="status" className="text-xs text-ink-2">
        {adminUsersStrings.page(page)} · {adminUsersStrings.total(total)}
      </p>
      <div className="flex gap-2">
        <Button size="compact" disabled={page === 1} onClick={() => onPage(page - 1)}>
          {adminUsersStrings.previous}
        </Button>
        <Button size="compact" disabled={isLast} onClick={() => onPage(page + 1)}>
          {adminUsersStrings.next}
        </Button>
      </div>
    </nav>
  )
}
