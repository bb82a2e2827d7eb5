import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { DropZone } from '#/file-views/drop-zone.tsx'
import { DownloadCard } from '#/transfer-views/download-card.tsx'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { sessionWords } from '#/words/sessions.ts'
import { spellPin } from './pin-rules.ts'
import type { OpenRoom } from './room.ts'
import { filesQuery } from './session.queries.ts'
import { SessionFileList } from './session-file-list.tsx'
import { SessionUploads } from './session-uploads.tsx'
import { useRoom } from './sessions-context.ts'

interface SessionFilesProps {
  readonly opened: OpenRoom
}

/** What the people in a session share with each other. */
export function SessionFiles({ opened }: SessionFilesProps) {
  const { id, pin } = useRoom()
  const { data: files, error, refetch } = useQuery(filesQuery(id, opened))
  const onFiles = (added: readonly File[]) => opened.uploads.add(added)
  const { isOver, fileCount } = useFileDrop({ onFiles, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  return (
    <div className="grid grid-cols-1 gap-5">
      <DropZone
        onFiles={onFiles}
        isOver={isOver}
        title={sessionWords.upload}
        hint={sessionWords.uploadHint}
        pickerLabel={sessionWords.picker}
      />
      <SessionUploads uploads={opened.uploads} />
      <SessionDownloads opened={opened} />
      {error ? (
        <RetryBanner label={sessionWords.retry} onRetry={() => void refetch()}>
          {speak(error, sessionWords.filesFailed)}
        </RetryBanner>
      ) : null}
      {files || !error ? <SessionFileList opened={opened} files={files} /> : null}
      <PageDropOverlay
        open={isOver}
        words={(count) => sessionWords.dropToShare(count, spellPin(pin))}
        fileCount={fileCount}
      />
    </div>
  )
}

function SessionDownloads({ opened: { downloads } }: SessionFilesProps) {
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
