import type { Sink } from '@sallyport/client/download/sink'
import { largeDownloadBytes, smallFileBytes } from '@sallyport/contract/limits'
import { openPartialFile } from './partial-file.ts'
import { isFull, noRoom, openPrivateHandle } from './private-handle.ts'
import type { OpenSinkAsk, SavedFile } from './tasks.ts'

/**
 * The private file system where the browser has one and lets this page use it, else memory. A small file stays in memory
 * anyway: that is quicker, and leaves nothing on the disk but what the person saves.
 */
export async function openSink({ keys, privateName, isPartial }: OpenSinkAsk): Promise<Sink<SavedFile>> {
  const { plainBytes } = keys.header
  if (plainBytes < smallFileBytes) return createMemorySink()
  try {
    return await (isPartial ? openPartialFile(privateName, keys) : openPrivateFile(privateName, plainBytes))
  } catch (error) {
    if (isFull(error) && plainBytes > largeDownloadBytes) throw new Error(noRoom, { cause: error })
    return createMemorySink()
  }
}

/** Synchronous writes to the disk, the fastest way for bytes to leave a page. */
async function openPrivateFile(privateName: string, plainBytes: number): Promise<Sink<SavedFile>> {
  const { write, close, remove } = await openPrivateHandle(privateName, plainBytes)
  return {
    place: 'disk',
    isSeekable: true,
    write,
    async close() {
      close()
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
