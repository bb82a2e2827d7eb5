import { useSyncExternalStore } from 'react'
import { DownloadCard } from '#/transfer-views/download-card.tsx'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import { MemoryNote } from '#/transfer-views/memory-note.tsx'
import { useFileWork } from './files-context.ts'

/** Files on their way back to this device. */
export function DownloadArea() {
  const { downloads, savings } = useFileWork()
  const listed = useSyncExternalStore(downloads.list.subscribe, downloads.list.current)
  const opening = useSyncExternalStore(savings.subscribe, savings.current)
  const now = Date.now()
  return (
    <>
      <MemoryNote states={listed.map(({ state }) => state)} />
      <DownloadCard
        downloads={[...listed.map((download) => transferOfDownload(download, now)), ...opening]}
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
