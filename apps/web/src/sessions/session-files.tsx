import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { DropZone } from '#/file-views/drop-zone.tsx'
import { DownloadCard } from '#/transfer-views/download-card.tsx'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { sessionWords } from '#/words/sessions.ts'
import type { OpenRoom } from './room.ts'
import { filesQuery } from './session.queries.ts'
import { SessionFileList } from './session-file-list.tsx'
import { SessionUploads } from './session-uploads.tsx'
import { useRoom } from './sessions-context.ts'

interface SessionFilesProps {
  readonly opened: OpenRoom
  /** Files are held over the page. */
  readonly isOver: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** What the people in a session share with each other. */
export function SessionFiles({ opened, isOver, onFiles }: SessionFilesProps) {
  const { id } = useRoom()
  const { data: files, error, refetch } = useQuery(filesQuery(id, opened))

  return (
    <div className="grid grid-cols-1 gap-5">
      <DropZone
        onFiles={onFiles}
        isOver={isOver}
        title={sessionWords.upload}
        hint={sessionWords.uploadHint}
        pickerLabel={sessionWords.picker}
      />
      <SessionUploads uploads={opened.uploads} unfinished={opened.unfinished} />
      <SessionDownloads opened={opened} />
      {error ? (
        <RetryBanner label={sessionWords.retry} onRetry={() => void refetch()}>
          {speak(error, sessionWords.filesFailed)}
        </RetryBanner>
      ) : null}
      {files || !error ? <SessionFileList opened={opened} files={files} /> : null}
    </div>
  )
}

function SessionDownloads({ opened: { downloads } }: Pick<SessionFilesProps, 'opened'>) {
  const listed = useSyncExternalStore(downloads.subscribe, downloads.current)
  const now = Date.now()
  return (
    <DownloadCard
      downloads={listed.map((download) => transferOfDownload(download, now))}
      onCancel={({ id }) => downloads.cancel(id)}
      onRetry={({ id }) => downloads.retry(id)}
      onDismiss={({ id }) => downloads.dismiss(id)}
    />
  )
}
