import { Download, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { LoadingRows } from '#/file-views/loading-rows.tsx'
import { Seal } from '#/motifs/seal.tsx'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { archiveWords } from '#/words/archive.ts'
import { fileWords } from '#/words/files.ts'
import { FileRow } from './file-row.tsx'
import type { FileActions } from './file-row-actions.tsx'
import type { StoredFile } from './stored-files.ts'

interface FileListCardProps extends FileActions {
  /** Undefined while the list is on its way. */
  readonly files: readonly StoredFile[] | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly onDownloadAll: () => void
  readonly onDeleteAll: () => void
}

export function FileListCard({ files, now, onDownloadAll, onDeleteAll, ...actions }: FileListCardProps) {
  const titleId = useId()
  const hasFiles = files !== undefined && files.length > 0

  return (
    <Card aria-labelledby={titleId} padded={false} className="overflow-clip">
      <div className={hasFiles ? 'border-b border-line' : undefined}>
        <CardHeading
          id={titleId}
          title={fileWords.heading}
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
      {files === undefined ? <LoadingRows label="Loading your files" /> : null}
      {files?.length === 0 ? (
        <div className="-mt-4 pb-3">
          <EmptyState picture={<Seal state="idle" />} title={fileWords.empty} />
        </div>
      ) : null}
      {hasFiles ? (
        <ul className="divide-y divide-line">
          {files.map((file) => (
            <FileRow key={file.id} file={file} now={now} {...actions} />
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

function DownloadAllButton({ onClick }: { readonly onClick: () => void }) {
  const isPhone = useIsPhone()
  if (!isPhone) {
    return (
      <Button size="compact" onClick={onClick}>
        {archiveWords.button}
      </Button>
    )
  }
  return (
    <Button
      size="compact"
      aria-label="All, download"
      icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
      onClick={onClick}
    >
      All
    </Button>
  )
}

function DeleteAllButton({ onClick }: { readonly onClick: () => void }) {
  const isPhone = useIsPhone()
  if (!isPhone) {
    return (
      <Button variant="danger-outline" size="compact" onClick={onClick}>
        Delete All
      </Button>
    )
  }
  return (
    <Button
      variant="danger-outline"
      size="compact"
      aria-label="All, delete"
      icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
      onClick={onClick}
    >
      All
    </Button>
  )
}
