import { useSyncExternalStore } from 'react'
import { DownloadCard } from './download-card.tsx'
import { transferOfDownload } from './download-transfers.ts'
import { useFileWork } from './files-context.ts'
import { MemoryNote } from './memory-note.tsx'

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
