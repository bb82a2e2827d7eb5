import type { Sink } from '@sallyport/client/download/sink'
import { largeDownloadBytes, smallFileBytes } from '@sallyport/contract/limits'
import type { OpenSinkAsk, SavedFile } from './tasks.ts'

/**
 * The private file system where the browser has one and lets this page use it, else memory. A small file stays in memory
 * anyway: that is quicker, and leaves nothing on the disk but what the person saves.
 */
export async function openSink({ keys, privateName }: OpenSinkAsk): Promise<Sink<SavedFile>> {
  const { plainBytes } = keys.header
  if (plainBytes < smallFileBytes) return createMemorySink()
  try {
    return await openPrivateFile(privateName, plainBytes)
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    if (isFull && plainBytes > largeDownloadBytes) throw new Error(noRoom, { cause: error })
    return createMemorySink()
  }
}

const noRoom = 'The browser has no room for this file. Free some space and try again.'

/** Synchronous writes to the disk, the fastest way for bytes to leave a page. */
async function openPrivateFile(privateName: string, plainBytes: number): Promise<Sink<SavedFile>> {
  const root = await navigator.storage.getDirectory()
  const file = await root.getFileHandle(privateName, { create: true })
  const handle = await file.createSyncAccessHandle()
  const remove = async () => {
    handle.close()
    await root.removeEntry(privateName)
  }
  try {
    // Takes the room at once: better no start than a full disk in the middle.
    handle.truncate(plainBytes)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    place: 'disk',
    isSeekable: true,
    write(bytes, position) {
      const written = handle.write(bytes, { at: position })
      if (written !== bytes.length) throw new Error(noRoom)
    },
    async close() {
      handle.close()
      return { privateName }
    },
    abort: remove,
  }
}

/** Blobs are kept by the browser outside this worker, which may put them on the disk by itself. */
function createMemorySink(): Sink<SavedFile> {
  const parts: Blob[] = []
  return {
    place: 'memory',
    isSeekable: false,
    write(bytes) {
      parts.push(new Blob([bytes]))
    },
    close: async () => ({ blob: new Blob(parts) }),
    async abort() {
      parts.length = 0
    },
  }
}
