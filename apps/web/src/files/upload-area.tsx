import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { canReadClipboard, readClipboard } from '#/intake/clipboard.ts'
import { canPickFolders } from '#/intake/picked-folder.ts'
import { useIntake } from '#/intake/use-intake.ts'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { UploadCard } from '#/transfer-views/upload-card.tsx'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { fileWords } from '#/words/files.ts'
import { intakeWords } from '#/words/intake.ts'
import { useFileWork } from './files-context.ts'
import { OwnDropZone } from './own-drop-zone.tsx'
import { UnfinishedCard } from './unfinished-card.tsx'
import { useExpiration } from './use-expiration.ts'
import { useUploadTransfers } from './use-transfers.ts'

const PastedTextDialog = lazy(async () => ({
  default: (await import('#/intake/pasted-text-dialog.tsx')).PastedTextDialog,
}))

interface UploadAreaProps {
  /** Takes a pasted text to another place than the files. */
  readonly onTextToChat?: ((text: string) => void) | undefined
}

/** Where files come in, and how far they have come. */
export function UploadArea({ onTextToChat }: UploadAreaProps) {
  const { uploads } = useFileWork()
  const expiration = useExpiration()
  const toast = useToast()
  const [pasted, setPasted] = useState<string | null>(null)
  const intake = useIntake((files) => uploads.add(files, { expirationMinutes: expiration.minutes }))
  const { onFiles, onFolders, onPickedFolder } = intake
  const { isOver, fileCount, maybeFolders } = useFileDrop({ onFiles, onFolders, enabled: true })
  usePastedFiles({ onFiles, onText: setPasted, enabled: true })

  async function pasteFromClipboard() {
    try {
      const { files, text } = await readClipboard(new Date())
      if (files.length > 0) onFiles(files)
      else if (text.trim() !== '') setPasted(text)
      else toast(intakeWords.nothingToPaste)
    } catch {
      toast({ text: intakeWords.pasteRefused, tone: 'rust' })
    }
  }

  return (
    <>
      <UploadTroubles />
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
      <UploadsUnderWay />
      <UnfinishedCard />
      <PageDropOverlay open={isOver} fileCount={fileCount} maybeFolders={maybeFolders} />
      {pasted === null ? null : (
        <Suspense>
          <PastedTextDialog
            text={pasted}
            onSeal={(file) => {
              setPasted(null)
              onFiles([file])
            }}
            onToChat={onTextToChat}
            onClose={() => setPasted(null)}
          />
        </Suspense>
      )}
    </>
  )
}

function UploadsUnderWay() {
  const { uploads } = useFileWork()
  return (
    <UploadCard
      uploads={useUploadTransfers().filter(({ state }) => state.phase !== 'failed')}
      onCancel={({ id }) => uploads.cancel(id)}
      onRetry={({ id }) => uploads.retry(id)}
      onDismiss={({ id }) => uploads.dismiss(id)}
    />
  )
}

/** What went wrong stays until it is dealt with; what was cancelled leaves the queue, and this list, by itself. */
function UploadTroubles() {
  const { uploads } = useFileWork()
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const isAnyCancelled = queued.some(({ state }) => state.status === 'cancelled')
  return (
    <div className="grid gap-2.5 empty:hidden">
      {queued.map(({ id, name, state }) =>
        state.status === 'failed' ? (
          <Banner
            key={id}
            tone="rust"
            urgent
            actions={
              <Button size="compact" onClick={() => uploads.retry(id)}>
                {fileWords.retry}
              </Button>
            }
            onDismiss={() => uploads.dismiss(id)}
          >
            {fileWords.uploadFailed(name, state.error.message)}
          </Banner>
        ) : null,
      )}
      {isAnyCancelled ? <Banner>{fileWords.uploadCancelled}</Banner> : null}
    </div>
  )
}
