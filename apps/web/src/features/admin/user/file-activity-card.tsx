import type { UserDetail } from '@sallyport/contract/admin'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { formatNumber } from '#/strings/format.ts'

/** How many files the account has uploaded, has now and has downloaded. */
export function FileActivityCard({ stats }: { readonly stats: UserDetail['stats'] }) {
  const counts = [
    [adminUserStrings.uploaded, stats.totalFilesUploaded],
    [adminUserStrings.current, stats.currentFiles],
    [adminUserStrings.downloaded, stats.totalFilesDownloaded],
    [adminUserStrings.downloads, stats.totalDownloads],
  ] as const
  return (
    <Card aria-labelledby="file-activity-heading">
      <CardHeading id="file-activity-heading" title={adminUserStrings.fileActivity} />
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
        {counts.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse justify-end gap-0.5">
            <dt className="text-xs text-ink-2">{label}</dt>
            <dd className="heading text-2xl tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
