import { serverClock } from '@sallyport/browser/server-clock'
import { ApiError } from '@sallyport/client/errors'
import { ignore } from '@sallyport/contract/ignore'
import { markPasted } from '@sallyport/transfers/browser/uploads/file-handles'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { Suspense, useState } from 'react'
import { canReadClipboard, readClipboard } from '#/components/file-input/clipboard.ts'
import { canPickFolders } from '#/components/file-input/pick-files.ts'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { useIntake } from '#/components/file-input/use-intake.ts'
import { usePastedFiles } from '#/components/file-input/use-pasted-files.ts'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { InterruptedUploadsCard } from '#/components/transfers/interrupted-uploads-card.tsx'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { TransferList } from '#/components/transfers/transfer-list.tsx'
import { UploadErrors } from '#/components/transfers/upload-errors.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { fileStrings } from '#/strings/files.ts'
import { toDate } from '#/strings/format.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { useFilesContext } from '../files-context.ts'
import { useExpiration } from '../use-expiration.ts'
import { AccountDropZone } from './account-drop-zone.tsx'
import { UploadsElsewhereCard } from './uploads-elsewhere-card.tsx'

const PastedTextDialog = lazyPart(
  async () => (await import('#/components/file-input/pasted-text-dialog.tsx')).PastedTextDialog,
  { notice: 'floating' },
)

interface UploadAreaProps {
  /** Sends a pasted text to the chat instead of uploading it. */
  readonly onTextToChat?: ((text: string) => void) | undefined
}

/** The drop zone with running, failed and interrupted uploads. */
export function UploadArea({ onTextToChat }: UploadAreaProps) {
  const { uploads, interrupted } = useFilesContext()
  const expiration = useExpiration()
  const toast = useToast()
  const [pastedText, setPastedText] = useState<string | null>(null)
  const intake = useIntake((files) => void interrupted.addOrResume(files, { expirationMinutes: expiration.minutes }))
  const { onFiles, onFolders, onPickedFolder, onNothing } = intake
  const { isOver, fileCount, maybeFolders } = useFileDrop({ onFiles, onFolders, onNothing, enabled: true })
  usePastedFiles({ onFiles, onText: setPastedText, enabled: true })

  function addPasted(files: readonly File[]) {
    markPasted(files)
    onFiles(files)
  }

  async function pasteFromClipboard() {
    try {
      const { files, text } = await readClipboard(toDate(serverClock.now()))
      if (files.length > 0) addPasted(files)
      else if (text.trim() !== '') setPastedText(text)
      else toast(intakeStrings.nothingToPaste)
    } catch (error) {
      ignore(error, 'the toast says so')
      toast({ text: intakeStrings.clipboardUnreadable, tone: 'rust' })
    }
  }

  return (
    <>
      <UploadNotices uploads={uploads} />
      {intake.skippedMessage === '' ? null : (
        <Banner tone="brass" onDismiss={intake.dismiss}>
          {intake.skippedMessage}
        </Banner>
      )}
      <AccountDropZone
        onFiles={onFiles}
        onPickedFolder={canPickFolders() ? onPickedFolder : undefined}
        onPaste={canReadClipboard() ? () => void pasteFromClipboard() : undefined}
        isOver={isOver}
        expiryMinutes={expiration.shownMinutes}
        expiryOptions={expiration.choices}
        onExpiryChange={expiration.save}
      />
      <TransferList list={uploads} label={transferStrings.uploads} subject="uploads" hidesFailed />
      <InterruptedUploadsCard interrupted={interrupted} />
      <ElsewhereUploads uploads={uploads} />
      <PageDropOverlay open={isOver} fileCount={fileCount} mayContainFolders={maybeFolders} />
      {pastedText === null ? null : (
        <Suspense>
          <PastedTextDialog
            text={pastedText}
            onUpload={(file) => {
              setPastedText(null)
              addPasted([file])
            }}
            onSendToChat={onTextToChat}
            onClose={() => setPastedText(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Shows failed uploads, and for a moment that uploads were cancelled, until they are removed from the queue. */
function UploadNotices({ uploads }: { readonly uploads: JobList }) {
  const jobs = useObservable(uploads)
  const isAnyCancelled = jobs.some(({ state }) => state.status === 'cancelled')
  return (
    <div className="grid gap-2.5 empty:hidden">
      <UploadErrors uploads={uploads} />
      {isAnyCancelled ? <Banner>{fileStrings.uploadCancelled}</Banner> : null}
    </div>
  )
}

function ElsewhereUploads({ uploads }: { readonly uploads: JobList }) {
  const jobs = useObservable(uploads)
  const rejected = jobs.filter(
    ({ state }) =>
      state.status === 'failed' && state.error instanceof ApiError && state.error.code === 'TOO_MANY_UPLOADS',
  )
  return <UploadsElsewhereCard rejectedCount={rejected.length} />
}
