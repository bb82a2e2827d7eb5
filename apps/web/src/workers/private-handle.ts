import { systemClock } from '@sallyport/client/clock'

export const noRoom = 'The browser has no room for this file. Free some space and try again.'

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

const tryAgainMs = 100
const mostTries = 30

export interface PrivateHandle {
  readonly handle: FileSystemSyncAccessHandle
  close(): void
  remove(): Promise<void>
}

/** Opens a file of so many bytes in the private file system. Rejects where there is none, or no room in it. */
export async function openPrivateHandle(privateName: string, bytes: number): Promise<PrivateHandle> {
  const root = await navigator.storage.getDirectory()
  const file = await root.getFileHandle(privateName, { create: true })
  const handle = await openHandle(file)
  const remove = async () => {
    handle.close()
    await root.removeEntry(privateName)
  }
  try {
    // Takes the room at once: better no start than a full disk in the middle.
    handle.truncate(bytes)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    handle,
    close: () => handle.close(),
    remove,
  }
}

/** A page that was just closed may hold its files for a moment longer. */
export async function openHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await file.createSyncAccessHandle()
    } catch (error) {
      if (!isInUse(error) || tries === mostTries) throw error
      await systemClock.wait(tryAgainMs)
    }
  }
}

export const isInUse = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NoModificationAllowedError'
