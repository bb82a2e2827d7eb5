import { Download, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Seal } from '#/components/brand/seal.tsx'
import { LoadingRows } from '#/components/files/loading-rows.tsx'
import { HiddenRows, useRowWindow } from '#/components/files/row-window.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { archiveStrings } from '#/strings/archive.ts'
import { fileStrings } from '#/strings/files.ts'
import { FileRow } from './file-row.tsx'
import type { FileActions } from './file-row-actions.tsx'
import type { StoredFile } from './stored-files.ts'

interface FileListCardProps {
  /** Undefined while the list is loading. */
  readonly files: readonly StoredFile[] | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** Stable, because rows are memoized. */
  readonly actions: FileActions
  readonly onDownloadAll: () => void
  readonly onDeleteAll: () => void
}

export function FileListCard({ files, now, actions, onDownloadAll, onDeleteAll }: FileListCardProps) {
  const titleId = useId()
  const hasFiles = files !== undefined && files.length > 0

  return (
    <Card aria-labelledby={titleId} padded={false} className="overflow-clip">
      <div className={hasFiles ? 'border-b border-line' : undefined}>
        <CardHeading
          id={titleId}
          title={fileStrings.heading}
          count={hasFiles ? files.length : undefined}
          className="min-h-16 px-[var(--card-padding)] py-3"
        >
          {hasFiles ? (
            <>
              <DownloadAllButton onClick={onDownloadAll} />
              <DeleteAllButton onClick={onDeleteAll} />
            </>
          ) : null}
        </CardHeading>
      </div>
      {files === undefined ? <LoadingRows label={fileStrings.loading} /> : null}
      {files?.length === 0 ? (
        <div className="-mt-4 pb-3">
          <EmptyState illustration={<Seal state="idle" />} title={fileStrings.empty} />
        </div>
      ) : null}
      {hasFiles ? <FileRows files={files} now={now} actions={actions} /> : null}
    </Card>
  )
}

interface FileRowsProps extends Pick<FileListCardProps, 'now' | 'actions'> {
  readonly files: readonly StoredFile[]
}

function FileRows({ files, now, actions }: FileRowsProps) {
  const { shown, hiddenCount, showMore, showAll } = useRowWindow(files)
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((file) => (
          <FileRow key={file.id} file={file} now={now} actions={actions} />
        ))}
      </ul>
      {hiddenCount > 0 ? <HiddenRows count={hiddenCount} onShowMore={showMore} onShowAll={showAll} /> : null}
    </>
  )
}

function DownloadAllButton({ onClick }: { readonly onClick: () => void }) {
  const isPhone = useIsPhone()
  if (!isPhone) {
    return (
      <Button size="compact" onClick={onClick}>
        {archiveStrings.button}
      </Button>
    )
  }
  return (
    <Button
      size="compact"
      aria-label={archiveStrings.allDownload}
      icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
      onClick={onClick}
    >
      {fileStrings.all}
    </Button>
  )
}

function DeleteAllButton({ onClick }: { readonly onClick: () => void }) {
  const isPhone = useIsPhone()
  if (!isPhone) {
    return (
      <Button variant="danger-outline" size="compact" onClick={onClick}>
        {fileStrings.deleteAll}
      </Button>
    )
  }
  return (
    <Button
      variant="danger-outline"
      size="compact"
      aria-label={fileStrings.allDelete}
      icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
      onClick={onClick}
    >
      {fileStrings.all}
    </Button>
  )
}
