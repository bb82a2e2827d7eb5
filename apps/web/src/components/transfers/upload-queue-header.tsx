import { formatBytes } from '@sallyport/contract/formats'
import type { UploadQueue } from '@sallyport/transfers/engine/upload/upload-queue'
import { useState } from 'react'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { Button } from '#/components/ui/button.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { uploadQueueStrings } from '#/strings/lists/upload-queue.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shareDelivered, type Transfer } from './transfer-state.ts'

interface UploadQueueHeaderProps {
  readonly uploads: UploadQueue
  /** Uploads that are sent or waiting. */
  readonly active: readonly Transfer[]
  readonly failed: readonly Transfer[]
}

/** The progress of a long queue as a whole, with the actions for all its files. */
export function UploadQueueHeader({ uploads, active, failed }: UploadQueueHeaderProps) {
  const [isAsking, setAsking] = useState(false)
  const completed = uploads.completed()
  const totalFiles = completed.files + active.length
  const totalBytes = completed.bytes + active.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const deliveredBytes =
    completed.bytes + active.reduce((sum, transfer) => sum + shareDelivered(transfer) * transfer.sizeBytes, 0)
  const delivered = totalBytes === 0 ? completed.files / Math.max(1, totalFiles) : deliveredBytes / totalBytes

  /** From the last to the first, so that no waiting upload starts in between. */
  function cancelAll() {
    setAsking(false)
    for (const { id } of active.toReversed()) uploads.cancel(id)
  }

  function retryFailed() {
    for (const { id } of failed) uploads.retry(id)
  }

  return (
    <div className="grid gap-2 border-b border-line px-[var(--card-padding)] py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-2">
          {active.length > 0 ? (
            <>
              <strong className="font-semibold text-ink">
                {uploadQueueStrings.files(completed.files, totalFiles)}
              </strong>
              <span className="num">
                {transferStrings.figures(formatBytes(deliveredBytes), formatBytes(totalBytes))}
              </span>
            </>
          ) : null}
          {failed.length > 0 ? <span className="text-rust">{uploadQueueStrings.failed(failed.length)}</span> : null}
        </p>
        <div className="flex flex-wrap gap-2">
          {failed.length > 0 ? (
            <Button size="compact" onClick={retryFailed}>
              {uploadQueueStrings.retryFailed}
            </Button>
          ) : null}
          {active.length > 0 ? (
            <Button variant="quiet" size="compact" className="-me-3 max-md:-ms-3" onClick={() => setAsking(true)}>
              {uploadQueueStrings.cancelAll}
            </Button>
          ) : null}
        </div>
      </div>
      {active.length > 0 ? (
        <TransferBar
          label={uploadQueueStrings.progress}
          valueText={transferStrings.percent(Math.floor(delivered * 100))}
          delivered={delivered}
        />
      ) : null}
      <ConfirmDialog
        open={isAsking && active.length > 0}
        onOpenChange={setAsking}
        title={uploadQueueStrings.cancelTitle}
        description={uploadQueueStrings.cancelQuestion(active.length)}
        confirmLabel={uploadQueueStrings.cancelAll}
        cancelLabel={uploadQueueStrings.continueUploading}
        onConfirm={cancelAll}
      />
    </div>
  )
}
