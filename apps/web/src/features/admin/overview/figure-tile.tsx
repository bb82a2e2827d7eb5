import { Badge } from '#/components/ui/badge.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { adminOverviewStrings } from '#/strings/admin/overview.ts'
import { Sparkline } from './sparkline.tsx'

interface FigureTileProps {
  readonly label: string
  readonly value: string
  readonly detail: string
  /** The last values, oldest first. */
  readonly history: readonly number[]
  /** The value at the top edge of the line. */
  readonly top?: number
  readonly isHigh?: boolean
}

/** One figure, with a line of its last values. */
export const FigureTile = ({ label, value, detail, history, top, isHigh = false }: FigureTileProps) => (
  <div className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-rest">
    <dt className="flex min-h-6 items-center justify-between gap-2 text-xs text-ink-2">
      <span>{label}</span>
      {isHigh ? <Badge tone="rust">{adminOverviewStrings.high}</Badge> : null}
    </dt>
    <dd className="mt-1">
      <span className={classNames('heading-large block truncate text-2xl tabular-nums', isHigh && 'text-rust')}>
        {value}
      </span>
      <Sparkline values={history} top={top} isHigh={isHigh} />
      <span className="mt-2 block text-xs text-ink-3">{detail}</span>
    </dd>
  </div>
)
