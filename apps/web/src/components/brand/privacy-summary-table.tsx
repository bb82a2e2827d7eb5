import { Badge } from '#/components/ui/badge.tsx'
import { type PrivacySummaryEntry, privacySummaryStrings } from '#/strings/account/privacy-summary.ts'

interface PrivacySummaryTableProps {
  readonly rows: readonly (PrivacySummaryEntry & { readonly explanation: string })[]
}

/** The detailed privacy summary: for each kind of data, whether the server can read it, and why. */
export function PrivacySummaryTable({ rows }: PrivacySummaryTableProps) {
  return (
    <dl className="divide-y divide-line">
      {rows.map((row) => (
        <div key={row.subject} className="grid gap-x-4 gap-y-0.5 py-3 first:pt-0 last:pb-0">
          <dt className="flex items-center justify-between gap-4 text-sm font-semibold">{row.subject}</dt>
          <dd className="col-start-2 row-start-1 justify-self-end">
            <Badge tone={row.visibility === 'visible' ? 'neutral' : 'seal'}>
              {privacySummaryStrings[row.visibility]}
            </Badge>
          </dd>
          <dd className="col-span-2 text-sm text-ink-2">{row.explanation}</dd>
        </div>
      ))}
    </dl>
  )
}
