import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { useSyncExternalStore } from 'react'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { fileWords } from '#/words/files.ts'

interface UploadTroublesProps {
  readonly uploads: UploadQueue
  /** Stands for a reason that has no words. */
  readonly unnamedReason?: string
}

/** What went wrong stays until it is dealt with. */
export function UploadTroubles({ uploads, unnamedReason = '' }: UploadTroublesProps) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  return queued.map(({ id, name, state }) =>
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
        {fileWords.uploadFailed(name, state.error.message || unnamedReason)}
      </Banner>
    ) : null,
  )
}
