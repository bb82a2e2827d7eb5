import type { UploadQueue } from '@sallyport/client/upload-queue'
import { useSyncExternalStore } from 'react'
import { UploadCard } from '#/transfer-views/upload-card.tsx'
import { transferOfUpload } from '#/transfer-views/upload-transfers.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { fileWords } from '#/words/files.ts'
import { sessionWords } from '#/words/sessions.ts'

/** Files on their way into the session. */
export function SessionUploads({ uploads }: { readonly uploads: UploadQueue }) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = Date.now()
  return (
    <div className="grid gap-5 empty:hidden">
      {queued.map(({ id, name, state }) =>
        state.status === 'failed' ? (
          <Banner
            key={id}
            tone="rust"
            urgent
            actions={
              <Button size="compact" onClick={() => uploads.retry(id)}>
                {sessionWords.retry}
              </Button>
            }
            onDismiss={() => uploads.dismiss(id)}
          >
            {fileWords.uploadFailed(name, state.error.message || sessionWords.uploadFailed)}
          </Banner>
        ) : null,
      )}
      <UploadCard
        uploads={queued.filter(({ state }) => state.status !== 'failed').map((upload) => transferOfUpload(upload, now))}
        onCancel={({ id }) => uploads.cancel(id)}
        onRetry={({ id }) => uploads.retry(id)}
        onDismiss={({ id }) => uploads.dismiss(id)}
      />
    </div>
  )
}
