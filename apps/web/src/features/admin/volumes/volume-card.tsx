import { formatBytes } from '@sallyport/contract/formats'
import { useId } from 'react'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { formatNumber, formatPercent } from '#/strings/format.ts'
import type { Volume } from '../admin.queries.ts'
import { isHigh, UsageBar } from '../overview/usage-bar.tsx'
import { Detail, DetailList } from '../user/detail-list.tsx'

export function VolumeCard({ volume }: { readonly volume: Volume }) {
  const headingId = useId()
  const { name, is_active, usage_percent, used_space, total_space, free_space, orphaned_files } = volume
  return (
    <Card aria-labelledby={headingId}>
      <CardHeading id={headingId} title={<Name>{name}</Name>}>
        {isHigh(usage_percent) ? <Badge tone="rust">{strings.high}</Badge> : null}
        <Badge tone={is_active ? 'seal' : 'rust'}>{is_active ? strings.isActive : strings.isInactive}</Badge>
      </CardHeading>
      <p className="mt-3 mb-2 flex items-baseline justify-between gap-3 text-sm">
        <span className="num font-semibold">{formatPercent(usage_percent)}</span>
        <span className="num text-ink-2">{strings.usage(formatBytes(used_space), formatBytes(total_space))}</span>
      </p>
      <UsageBar label={strings.usageOf(visibleName(name))} percent={usage_percent} />
      <div className="mt-2">
        <DetailList>
          <Detail label={strings.free}>
            <span className="num">{formatBytes(free_space)}</span>
          </Detail>
          <Detail label={strings.volumeUsers}>
            <span className="num">{formatNumber(volume.user_count)}</span>
          </Detail>
          <Detail label={strings.volumeFiles}>
            <span className="num">{formatNumber(volume.file_count)}</span>
          </Detail>
          <Detail label={strings.orphans}>
            {orphaned_files === null ? strings.notCounted : <span className="num">{formatNumber(orphaned_files)}</span>}
          </Detail>
          <Detail label={strings.path}>
            <code className="num">
              <Name>{volume.mount_path}</Name>
            </code>
          </Detail>
        </DetailList>
      </div>
    </Card>
  )
}
