import { useQuery } from '@tanstack/react-query'
import { DropZone } from '#/components/files/drop-zone.tsx'
import { InterruptedUploadsCard } from '#/components/transfers/interrupted-uploads-card.tsx'
import { TransferList } from '#/components/transfers/transfer-list.tsx'
import { UploadErrors } from '#/components/transfers/upload-errors.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { transferStrings } from '#/strings/transfers.ts'
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
  const { uploads, downloads, interrupted } = unlocked
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
        <TransferList list={uploads} label={transferStrings.uploads} subject="uploads" hidesFailed />
        <InterruptedUploadsCard interrupted={interrupted} />
      </div>
      <TransferList list={downloads} label={transferStrings.downloads} subject="downloads" />
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
