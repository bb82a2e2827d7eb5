import { systemClock } from '@sallyport/client/clock'
import { ClientError } from '@sallyport/client/errors'
import { largeDownloadBytes } from '@sallyport/contract/limits'

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

/**
 * Gives a file its full length: it is better not to start than to fill the disk halfway. Rejects with a
 * `QuotaExceededError` where the space is missing, which browsers may notice only when the bytes are written.
 */
export async function allocate(file: FileSystemSyncAccessHandle, length: number): Promise<void> {
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate()
  if (length - file.getSize() > quota - usage) throw storageFullError()
  file.truncate(length)
  if (length > 0 && file.write(new Uint8Array(1), { at: length - 1 }) !== 1) throw storageFullError()
}

const storageFullError = (): DOMException => new DOMException('The quota has been exceeded', 'QuotaExceededError')

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
    if (isStorageFull(error) && bytes > largeDownloadBytes) throw new ClientError('STORAGE_FULL', { cause: error })
    return createInMemory()
  }
}
