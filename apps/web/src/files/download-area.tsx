import { useSyncExternalStore } from 'react'
import { DownloadCard } from '#/transfer-views/download-card.tsx'
import { MemoryNote } from '#/transfer-views/memory-note.tsx'
import { useFileWork } from './files-context.ts'
import { useDownloadTransfers } from './use-transfers.ts'

/** Files on their way back to this device. */
export function DownloadArea() {
  const { downloads, savings } = useFileWork()
  const listed = useSyncExternalStore(downloads.list.subscribe, downloads.list.current)
  return (
    <>
      <MemoryNote states={listed.map(({ state }) => state)} />
      <DownloadCard
        downloads={useDownloadTransfers()}
        onCancel={({ id }) => {
          downloads.cancel(id)
          savings.cancel(id)
        }}
        onRetry={({ id }) => downloads.retry(id)}
        onDismiss={({ id }) => downloads.dismiss(id)}
      />
    </>
  )
}
