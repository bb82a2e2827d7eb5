import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { useSyncExternalStore } from 'react'
import { UploadCard } from './upload-card.tsx'
import { uploadToTransfer } from './upload-transfers.ts'

/** Every upload of a queue that has not failed, with its progress. */
export function ActiveUploads({ uploads }: { readonly uploads: UploadQueue }) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = Date.now()
  return (
    <UploadCard
      uploads={queued.filter(({ state }) => state.status !== 'failed').map((upload) => uploadToTransfer(upload, now))}
      onCancel={({ id }) => uploads.cancel(id)}
      onRetry={({ id }) => uploads.retry(id)}
      onDismiss={({ id }) => uploads.dismiss(id)}
    />
  )
}
