import { useSyncExternalStore } from 'react'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import type { Transfer } from '#/transfer-views/transfer-state.ts'
import { transferOfUpload } from '#/transfer-views/upload-transfers.ts'
import { transferOfArchive } from './archive-transfer.ts'
import { useFileWork } from './files-context.ts'

interface Transfers {
  readonly uploads: readonly Transfer[]
  readonly downloads: readonly Transfer[]
  readonly all: readonly Transfer[]
}

/** Everything that is on its way in either direction, or has just ended. */
export function useTransfers(): Transfers {
  const work = useFileWork()
  const queued = useSyncExternalStore(work.uploads.subscribe, work.uploads.current)
  const listed = useSyncExternalStore(work.downloads.list.subscribe, work.downloads.list.current)
  const opening = useSyncExternalStore(work.savings.subscribe, work.savings.current)
  const archives = useSyncExternalStore(work.archives.subscribe, work.archives.current)
  const now = Date.now()
  const uploads = queued.map((upload) => transferOfUpload(upload, now))
  const downloads = [...listed.map((download) => transferOfDownload(download, now)), ...opening]
  return { uploads, downloads, all: [...uploads, ...downloads, ...archives.map((one) => transferOfArchive(one, now))] }
}
