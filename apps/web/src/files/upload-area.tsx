import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { canReadClipboard, readClipboard } from '#/intake/clipboard.ts'
import { useIntake } from '#/intake/use-intake.ts'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { UnfinishedCard } from '#/transfer-views/unfinished-card.tsx'
import { UploadTroubles } from '#/transfer-views/upload-troubles.tsx'
import { UploadsUnderWay } from '#/transfer-views/uploads-under-way.tsx'
import { Banner } from '#/ui/banner.tsx'
import { markPasted } from '#/ui/file-handles.ts'
import { canPickFolders } from '#/ui/pick-files.ts'
import { useToast } from '#/ui/toast.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { fileWords } from '#/words/files.ts'
import { intakeWords } from '#/words/intake.ts'
import { useFileWork } from './files-context.ts'
import { OwnDropZone } from './own-drop-zone.tsx'
import { useExpiration } from './use-expiration.ts'

const PastedTextDialog = lazy(async () => ({
  default: (await import('#/intake/pasted-text-dialog.tsx')).PastedTextDialog,
}))

interface UploadAreaProps {
  /** Takes a pasted text to another place than the files. */
  readonly onTextToChat?: ((text: string) => void) | undefined
}

/** Where files come in, and how far they have come. */
export function UploadArea({ onTextToChat }: UploadAreaProps) {
  const { uploads, unfinished } = useFileWork()
  const expiration = useExpiration()
  const toast = useToast()
  const [pasted, setPasted] = useState<string | null>(null)
  const intake = useIntake((files) => uploads.add(files, { expirationMinutes: expiration.minutes }))
  const { onFiles, onFolders, onPickedFolder } = intake
  const { isOver, fileCount, maybeFolders } = useFileDrop({ onFiles, onFolders, enabled: true })
  usePastedFiles({ onFiles, onText: setPasted, enabled: true })

  function takePasted(files: readonly File[]) {
    markPasted(files)
    onFiles(files)
  }

  async function pasteFromClipboard() {
    try {
      const { files, text } = await readClipboard(new Date())
      if (files.length > 0) takePasted(files)
      else if (text.trim() !== '') setPasted(text)
      else toast(intakeWords.nothingToPaste)
    } catch {
      toast({ text: intakeWords.pasteRefused, tone: 'rust' })
    }
  }

  return (
    <>
      <Troubles uploads={uploads} />
      {intake.leftOut === '' ? null : (
        <Banner tone="brass" onDismiss={intake.dismiss}>
          {intake.leftOut}
        </Banner>
      )}
      <OwnDropZone
        onFiles={onFiles}
        onPickedFolder={canPickFolders() ? onPickedFolder : undefined}
        onPaste={canReadClipboard() ? () => void pasteFromClipboard() : undefined}
        isOver={isOver}
        expiryMinutes={expiration.shownMinutes}
        expiryOptions={expiration.choices}
        onExpiryChange={expiration.save}
      />
      <UploadsUnderWay uploads={uploads} />
      <UnfinishedCard unfinished={unfinished} />
      <PageDropOverlay open={isOver} fileCount={fileCount} maybeFolders={maybeFolders} />
      {pasted === null ? null : (
        <Suspense>
          <PastedTextDialog
            text={pasted}
            onSeal={(file) => {
              setPasted(null)
              takePasted([file])
            }}
            onToChat={onTextToChat}
            onClose={() => setPasted(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** What went wrong, and for a moment what was cancelled: that leaves the queue, and this list, by itself. */
function Troubles({ uploads }: { readonly uploads: UploadQueue }) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const isAnyCancelled = queued.some(({ state }) => state.status === 'cancelled')
  return (
    <div className="grid gap-2.5 empty:hidden">
      <UploadTroubles uploads={uploads} />
      {isAnyCancelled ? <Banner>{fileWords.uploadCancelled}</Banner> : null}
    </div>
  )
}
