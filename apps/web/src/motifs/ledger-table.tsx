import { Badge, type Tone } from '#/ui/badge.tsx'
import type { LedgerRow, LedgerStanding } from './ledger.tsx'

interface LedgerTableProps {
  readonly rows: readonly (LedgerRow & { readonly explanation: string })[]
}

/** The ledger at length: each thing, whether the server can read it, and why. */
export function LedgerTable({ rows }: LedgerTableProps) {
  return (
    <dl className="divide-y divide-line">
      {rows.map((row) => (
        <div key={row.subject} className="grid gap-x-4 gap-y-0.5 py-3 first:pt-0 last:pb-0">
          <dt className="flex items-center justify-between gap-4 text-sm font-semibold">{row.subject}</dt>
          <dd className="col-start-2 row-start-1 justify-self-end">
            <Badge tone={standings[row.standing].tone}>{standings[row.standing].words}</Badge>
          </dd>
          <dd className="col-span-2 text-sm text-ink-2">{row.explanation}</dd>
        </div>
      ))}
    </dl>
  )
}

const standings: Record<LedgerStanding, { readonly words: string; readonly tone: Tone }> = {
  sealed: { words: 'Sealed', tone: 'seal' },
  'never-sent': { words: 'Never sent', tone: 'seal' },
  visible: { words: 'Visible', tone: 'neutral' },
}
