import { systemClock } from '@sallyport/client/clock'
import { useSyncExternalStore } from 'react'
import { downloadToTransfer } from '#/components/transfers/download-transfers.ts'
import type { OtherTransfer, Transfer } from '#/components/transfers/transfer-state.ts'
import { uploadToTransfer } from '#/components/transfers/upload-transfers.ts'
import { useFilesContext } from '../files-context.ts'
import { archiveToTransfer } from './archive-transfer.ts'

interface AllTransfers {
  readonly uploads: readonly Transfer[]
  readonly downloads: readonly Transfer[]
  /** Uploads, downloads and archives. */
  readonly own: readonly Transfer[]
  readonly others: readonly OtherTransfer[]
  readonly all: readonly Transfer[]
}

/** All transfers in both directions that are active or have just ended. */
export function useTransfers(): AllTransfers {
  const { archives, otherTransfers } = useFilesContext()
  const others = useSyncExternalStore(otherTransfers.subscribe, otherTransfers.current)
  const listed = useSyncExternalStore(archives.subscribe, archives.current)
  const [uploads, downloads] = [useUploadTransfers(), useDownloadTransfers()]
  const now = systemClock.now()
  const own = [...uploads, ...downloads, ...listed.map((archive) => archiveToTransfer(archive, now))]
  return { uploads, downloads, own, others, all: [...own, ...others] }
}

function useUploadTransfers(): readonly Transfer[] {
  const { uploads } = useFilesContext()
  const queued = useSyncExternalStore(uploads.subscribe, uploads.current)
  const now = systemClock.now()
  return queued.map((upload) => uploadToTransfer(upload, now))
}

export function useDownloadTransfers(): readonly Transfer[] {
  const { downloads, deviceSaves } = useFilesContext()
  const listed = useSyncExternalStore(downloads.list.subscribe, downloads.list.current)
  const saves = useSyncExternalStore(deviceSaves.subscribe, deviceSaves.current)
  const now = systemClock.now()
  return [...listed.map((download) => downloadToTransfer(download, now)), ...saves]
}
