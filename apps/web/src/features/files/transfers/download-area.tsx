import { useSyncExternalStore } from 'react'
import { DownloadCard } from '#/components/transfers/download-card.tsx'
import { MemoryWarning } from '#/components/transfers/memory-warning.tsx'
import { useFilesContext } from '../files-context.ts'
import { useDownloadTransfers } from './use-transfers.ts'

/** The downloads of this page. */
export function DownloadArea() {
  const { downloads, deviceSaves } = useFilesContext()
  const listed = useSyncExternalStore(downloads.list.subscribe, downloads.list.current)
  return (
    <>
      <MemoryWarning states={listed.map(({ state }) => state)} />
      <DownloadCard
        downloads={useDownloadTransfers()}
        onCancel={({ id }) => {
          downloads.cancel(id)
          deviceSaves.cancel(id)
        }}
        onRetry={({ id }) => downloads.retry(id)}
        onDismiss={({ id }) => downloads.dismiss(id)}
      />
    </>
  )
}
