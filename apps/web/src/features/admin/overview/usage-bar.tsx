import { highUsagePercent } from '@sallyport/contract/admin-overview'
import { ProgressBar } from '#/components/ui/progress-bar.tsx'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { formatPercent } from '#/strings/format.ts'

export const isHigh = (percent: number): boolean => percent > highUsagePercent

interface UsageBarProps {
  readonly label: string
  /** 0 to 100. */
  readonly percent: number
}

/** How full something is. Above 80 % it is red. */
export const UsageBar = ({ label, percent }: UsageBarProps) => (
  <ProgressBar
    label={label}
    value={percent / 100}
    valueText={isHigh(percent) ? `${formatPercent(percent)}, ${strings.high}` : formatPercent(percent)}
    tone={isHigh(percent) ? 'rust' : 'ink'}
  />
)
