import { systemClock } from '@sallyport/client/clock'
import { useQuery } from '@tanstack/react-query'
import { DropZone } from '#/components/files/drop-zone.tsx'
import { ActiveUploads } from '#/components/transfers/active-uploads.tsx'
import { DownloadCard } from '#/components/transfers/download-card.tsx'
import { downloadToTransfer } from '#/components/transfers/download-transfers.ts'
import { InterruptedUploadsCard } from '#/components/transfers/interrupted-uploads-card.tsx'
import { UploadErrors } from '#/components/transfers/upload-errors.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { UnlockedSession } from '../room/current-session.ts'
import { filesQuery } from '../session.queries.ts'
import { sessionErrorMessage } from '../session-error-messages.ts'
import { useCurrentSession } from '../sessions-context.ts'
import { SessionFileList } from './session-file-list.tsx'

interface SessionFilesProps {
  readonly unlocked: UnlockedSession
  /** Whether files are dragged over the page. */
  readonly isOver: boolean
  readonly onFiles: (files: readonly File[]) => void
  /** The file that the link which opened the page points to. */
  readonly linkedFileId: string | null
}

/** The files that the participants share. */
export function SessionFiles({ unlocked, isOver, onFiles, linkedFileId }: SessionFilesProps) {
  const { id } = useCurrentSession()
  const { uploads, interrupted } = unlocked
  const { data: files, error, refetch } = useQuery(filesQuery(id, unlocked))

  return (
    <div className="grid grid-cols-1 gap-5">
      <DropZone
        onFiles={onFiles}
        isOver={isOver}
        title={sessionStrings.upload}
        hint={sessionStrings.uploadHint}
        pickerLabel={sessionStrings.picker}
      />
      <div className="grid gap-5 empty:hidden">
        <UploadErrors uploads={uploads} fallbackReason={sessionStrings.uploadFailed} />
        <ActiveUploads uploads={uploads} />
        <InterruptedUploadsCard interrupted={interrupted} />
      </div>
      <SessionDownloads unlocked={unlocked} />
      {linkedFileId !== null && files && !files.some((file) => file.id === linkedFileId) ? (
        <Banner tone="brass">{sessionStrings.linkedFileGone}</Banner>
      ) : null}
      {error ? (
        <RetryBanner onRetry={() => void refetch()}>
          {sessionErrorMessage(error, sessionStrings.filesFailed)}
        </RetryBanner>
      ) : null}
      {files || !error ? <SessionFileList unlocked={unlocked} files={files} linkedFileId={linkedFileId} /> : null}
    </div>
  )
}

function SessionDownloads({ unlocked: { downloads } }: Pick<SessionFilesProps, 'unlocked'>) {
  const listed = useObservable(downloads)
  const now = systemClock.now()
  return (
    <DownloadCard
      downloads={listed.map((download) => downloadToTransfer(download, now))}
      onCancel={({ id }) => downloads.cancel(id)}
      onRetry={({ id }) => downloads.retry(id)}
      onDismiss={({ id }) => downloads.dismiss(id)}
    />
  )
}
