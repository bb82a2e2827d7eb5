import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { useSyncExternalStore } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { controlStrings } from '#/strings/controls.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { describeUpload } from '#/strings/errors/upload-errors.ts'
import { fileStrings } from '#/strings/files.ts'
import { transferStrings } from '#/strings/transfers.ts'

interface UploadErrorsProps {
  readonly uploads: UploadQueue
  /** Shown for an error that there is no sentence for. */
  readonly fallbackReason?: string
}

/** Shows failed uploads until they are retried or dismissed. */
export function UploadErrors({ uploads, fallbackReason = transferStrings.unexpected }: UploadErrorsProps) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  return queued.map(({ id, name, state }) =>
    state.status === 'failed' ? (
      <Banner
        key={id}
        tone="rust"
        urgent
        actions={
          <Button size="compact" onClick={() => uploads.retry(id)}>
            {controlStrings.retry}
          </Button>
        }
        onDismiss={() => uploads.dismiss(id)}
      >
        {fileStrings.uploadFailed(name, messageFor(state.error, fallbackReason, describeUpload))}
      </Banner>
    ) : null,
  )
}
