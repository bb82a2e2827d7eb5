import { useSyncExternalStore } from 'react'
import { transferOfDownload } from '#/transfer-views/download-transfers.ts'
import type { OtherTransfer, Transfer } from '#/transfer-views/transfer-state.ts'
import { transferOfUpload } from '#/transfer-views/upload-transfers.ts'
import { transferOfArchive } from './archive-transfer.ts'
import { useFileWork } from './files-context.ts'

interface Transfers {
  readonly uploads: readonly Transfer[]
  readonly downloads: readonly Transfer[]
  /** All of these. */
  readonly own: readonly Transfer[]
  readonly others: readonly OtherTransfer[]
  readonly all: readonly Transfer[]
}

/** Everything that is on its way in either direction, or has just ended. */
export function useTransfers(): Transfers {
  const { archives, otherTransfers } = useFileWork()
  const others = useSyncExternalStore(otherTransfers.subscribe, otherTransfers.current)
  const listed = useSyncExternalStore(archives.subscribe, archives.current)
  const [uploads, downloads] = [useUploadTransfers(), useDownloadTransfers()]
  const now = Date.now()
  const own = [...uploads, ...downloads, ...listed.map((one) => transferOfArchive(one, now))]
  return { uploads, downloads, own, others, all: [...own, ...others] }
}

function useUploadTransfers(): readonly Transfer[] {
  const { uploads } = useFileWork()
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = Date.now()
  return queued.map((upload) => transferOfUpload(upload, now))
}

export function useDownloadTransfers(): readonly Transfer[] {
  const { downloads, savings } = useFileWork()
  const listed = useSyncExternalStore(downloads.list.subscribe, downloads.list.current)
  const opening = useSyncExternalStore(savings.subscribe, savings.current)
  const now = Date.now()
  return [...listed.map((download) => transferOfDownload(download, now)), ...opening]
}
