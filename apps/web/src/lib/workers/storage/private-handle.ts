import { systemClock } from '@sallyport/client/clock'
import { largeDownloadBytes } from '@sallyport/contract/limits'

export const storageFullMessage =
  'Your browser doesn’t have enough space for this file. Free up some space and try again.'

const isStorageFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

const retryMs = 100
const maxRetries = 30

/** Opens a handle. Retries, because a page that was just closed may still hold its files. */
export async function openHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await file.createSyncAccessHandle()
    } catch (error) {
      if (!isInUse(error) || attempt === maxRetries) throw error
      await systemClock.wait(retryMs)
    }
  }
}

export const isInUse = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NoModificationAllowedError'

interface FallbackInput<Opened> {
  readonly bytes: number
  readonly openOnDisk: () => Promise<Opened>
  readonly createInMemory: () => Opened
}

/**
 * Opens on the disk where the browser allows it, otherwise in memory. Rejects for a large file where only the space is
 * missing.
 */
export async function openWithFallback<Opened>({
  bytes,
  openOnDisk,
  createInMemory,
}: FallbackInput<Opened>): Promise<Opened> {
  try {
    return await openOnDisk()
  } catch (error) {
    if (isStorageFull(error) && bytes > largeDownloadBytes) throw new Error(storageFullMessage, { cause: error })
    return createInMemory()
  }
}
