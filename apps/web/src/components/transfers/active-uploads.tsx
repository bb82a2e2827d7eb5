import { systemClock } from '@sallyport/client/clock'
import type { UploadQueue } from '@sallyport/transfers/engine/upload/upload-queue'
import { useSyncExternalStore } from 'react'
import { Card } from '#/components/ui/card.tsx'
import { transferStrings } from '#/strings/transfers.ts'
import type { Transfer } from './transfer-state.ts'
import { UploadRows } from './upload-card.tsx'
import { UploadQueueHeader } from './upload-queue-header.tsx'
import { uploadToTransfer } from './upload-transfers.ts'

/** Fewer files need no summary. */
const minQueueLength = 6

/** Every upload of a queue that has not failed, with its progress. Of a long queue also its total. */
export function ActiveUploads({ uploads }: { readonly uploads: UploadQueue }) {
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = systemClock.now()
  const transfers = queued.map((upload) => uploadToTransfer(upload, now))
  const failed = transfers.filter(({ state }) => state.phase === 'failed')
  const shown = transfers.filter(({ state }) => state.phase !== 'failed')
  const active = transfers.filter(isActive)
  const isLong = active.length > 0 && uploads.completed().files + active.length >= minQueueLength
  const hasHeader = isLong || failed.length > 1
  if (shown.length === 0 && !hasHeader) return null

  return (
    <Card aria-label={transferStrings.uploads} padded={false}>
      {hasHeader ? <UploadQueueHeader uploads={uploads} active={active} failed={failed} /> : null}
      <UploadRows
        uploads={shown}
        onCancel={({ id }) => uploads.cancel(id)}
        onRetry={({ id }) => uploads.retry(id)}
        onDismiss={({ id }) => uploads.dismiss(id)}
      />
    </Card>
  )
}

const isActive = ({ state }: Transfer): boolean =>
  state.phase === 'waiting' || state.phase === 'moving' || state.phase === 'paused'
