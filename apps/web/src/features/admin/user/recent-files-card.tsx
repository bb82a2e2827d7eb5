import type { UserDetail } from '@sallyport/contract/admin'
import { formatBytes } from '@sallyport/contract/formats'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { DataTable, type TableColumn } from '#/components/ui/data-table.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { formatNumber } from '#/strings/format.ts'
import { ShortDate } from '../times.tsx'

type RecentFile = UserDetail['files'][number]

interface RecentFilesProps {
  readonly files: readonly RecentFile[]
}

/** The newest files of an account under names that the server has made up. */
export function RecentFilesCard({ files }: RecentFilesProps) {
  return (
    <Card aria-labelledby="files-heading" padded={false}>
      <div className="pad-card">
        <CardHeading id="files-heading" title={adminUserStrings.recentFiles} />
        <p className="mt-1 text-sm text-ink-2">
          {files.length === 0 ? adminUserStrings.noFiles : adminUserStrings.recentFilesHint}
        </p>
      </div>
      {files.length === 0 ? null : <Files files={files} />}
    </Card>
  )
}

function Files({ files }: RecentFilesProps) {
  const isPhone = useIsPhone()
  if (isPhone) return <FileCards files={files} />
  return (
    <DataTable
      label={adminUserStrings.recentFiles}
      columns={columnsOfFiles()}
      rows={files}
      rowKey={({ id }) => id}
      className="mb-1.5"
    />
  )
}

function columnsOfFiles(): TableColumn<RecentFile>[] {
  const { columns } = adminUserStrings
  return [
    {
      id: 'name',
      header: columns.name,
      className: 'w-full max-w-0 min-w-36',
      cell: (file) => (
        <span className="flex items-center gap-2">
          <bdi className="truncate">{visibleFileName(file.filename)}</bdi>
          {file.share_token === null ? null : <Badge tone="seal">{adminUserStrings.shared}</Badge>}
        </span>
      ),
    },
    {
      id: 'size',
      header: columns.size,
      align: 'end',
      className: 'whitespace-nowrap',
      cell: (file) => <span className="num">{formatBytes(file.size_bytes)}</span>,
    },
    {
      id: 'created',
      header: columns.created,
      className: 'whitespace-nowrap text-ink-2',
      cell: (file) => <ShortDate time={file.created_at} />,
    },
    {
      id: 'expires',
      header: columns.expires,
      className: 'whitespace-nowrap text-ink-2',
      cell: (file) => <ShortDate time={file.expires_at} />,
    },
    {
      id: 'downloads',
      header: columns.downloads,
      align: 'end',
      cell: (file) => <span className="num">{formatNumber(file.download_count)}</span>,
    },
  ]
}

function FileCards({ files }: RecentFilesProps) {
  const { columns } = adminUserStrings
  return (
    <ul className="divide-y divide-line border-t border-line">
      {files.map((file) => (
        <li key={file.id} className="grid gap-2 pad-card text-sm">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <bdi className="font-semibold wrap-anywhere">{visibleFileName(file.filename)}</bdi>
            {file.share_token === null ? null : <Badge tone="seal">{adminUserStrings.shared}</Badge>}
          </span>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-xs">
            {columnsOfFiles().map(({ id, header, cell }) =>
              header === columns.name ? null : (
                <div key={id}>
                  <dt className="text-ink-3">{header}</dt>
                  <dd>{cell(file)}</dd>
                </div>
              ),
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}
