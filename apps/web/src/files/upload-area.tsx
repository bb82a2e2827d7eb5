import { settingsSavedMs } from '@sallyport/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { lastSeenMinutes, settingsQuery, useSaveExpiration } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { PageDropOverlay } from '#/transfer-views/page-drop-overlay.tsx'
import { UploadCard } from '#/transfer-views/upload-card.tsx'
import { transferOfUpload } from '#/transfer-views/upload-transfers.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { usePastedFiles } from '#/ui/use-pasted-files.ts'
import { fileWords } from '#/words/files.ts'
import { settingsWords } from '#/words/settings.ts'
import { useFileWork } from './files-context.ts'
import { OwnDropZone } from './own-drop-zone.tsx'

/** Where files come in, and how far they have come. */
export function UploadArea() {
  const { uploads } = useFileWork()
  const expiration = useExpiration()
  const onFiles = (files: readonly File[]) => uploads.add(files, { expirationMinutes: expiration.minutes })
  const { isOver, fileCount } = useFileDrop({ onFiles, enabled: true })
  usePastedFiles({ onFiles, enabled: true })

  return (
    <>
      <UploadTroubles />
      <OwnDropZone
        onFiles={onFiles}
        isOver={isOver}
        expiryMinutes={expiration.shownMinutes}
        expiryOptions={expiration.choices}
        onExpiryChange={expiration.save}
      />
      <UploadsUnderWay />
      <PageDropOverlay open={isOver} fileCount={fileCount} />
    </>
  )
}

function UploadsUnderWay() {
  const { uploads } = useFileWork()
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = Date.now()
  return (
    <UploadCard
      uploads={queued.filter(({ state }) => state.status !== 'failed').map((upload) => transferOfUpload(upload, now))}
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

/** The lifetime of the next file. Until the server has told, the one this device saw last. */
function useExpiration() {
  const toast = useToast()
  const { data: settings } = useQuery(settingsQuery(useCall()))
  const saving = useSaveExpiration()
  const minutes = saving.isPending ? saving.variables : settings?.minutes

  function save(chosen: number) {
    if (chosen === minutes) return
    saving.mutate(chosen, {
      onSuccess: () => toast({ text: settingsWords.saved, tone: 'seal', duration: settingsSavedMs }),
      onError: () => toast({ text: settingsWords.saveFailed, tone: 'rust' }),
    })
  }

  return {
    /** For the request: left out while it is not known, so that the account's own setting holds. */
    minutes,
    shownMinutes: minutes ?? lastSeenMinutes(localStorage),
    choices: settings?.choices.map(({ value }) => value) ?? [],
    save,
  }
}
