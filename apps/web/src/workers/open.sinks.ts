import type { Sink } from '@sallyport/client/download/sink'
import type { OpenSinkAsk, SavedFile } from './tasks.ts'

/** The private file system where the browser has one and lets this page use it, else memory. */
export async function openSink({ keys, privateName }: OpenSinkAsk): Promise<Sink<SavedFile>> {
  try {
    return await openPrivateFile(privateName, keys.header.plainBytes)
  } catch {
    return createMemorySink()
  }
}

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
      if (written !== bytes.length) throw new Error('The browser has no room for this file')
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
