import { systemClock } from '@sallyport/client/clock'
import type { Sink } from '@sallyport/client/download/sink'
import { largeDownloadBytes, smallFileBytes } from '@sallyport/contract/limits'
import type { FileKeys } from '@sallyport/crypto'
import { openPartialFile } from './partial-file.ts'
import { createNotes, notesInMemory } from './partial-notes.ts'
import { isFull, noRoom, openPrivateHandle } from './private-handle.ts'
import { createSealedPlace } from './sealed-place.ts'
import type { OpenSinkAsk, SavedFile } from './tasks.ts'

/**
 * The private file system where the browser has one and lets this page use it, else memory. A small file stays in memory
 * anyway: that is quicker, and leaves nothing on the disk but what the person saves.
 */
export async function openSink({ keys, privateName, isPartial }: OpenSinkAsk): Promise<Sink<SavedFile>> {
  const { plainBytes } = keys.header
  if (plainBytes < smallFileBytes) return createMemorySink()
  try {
    return await (isPartial ? openPartialFile(privateName, keys) : openPrivateFile(privateName, keys))
  } catch (error) {
    if (isFull(error) && plainBytes > largeDownloadBytes) throw new Error(noRoom, { cause: error })
    return createMemorySink()
  }
}

/** For one attempt only: without its notes, which die with this worker, nobody decrypts what a crash leaves on the disk. */
async function openPrivateFile(privateName: string, keys: FileKeys): Promise<Sink<SavedFile>> {
  const { handle, close, remove } = await openPrivateHandle(privateName, keys.header.plainBytes)
  const notes = createNotes(notesInMemory, keys, systemClock)
  const place = createSealedPlace({ bytes: handle, notes, keys, onFull: () => new Error(noRoom) })
  return {
    place: 'disk',
    isSeekable: true,
    write: (_plain, position, sealed) => place.put(position, sealed),
    async close() {
      await place.decryptAll()
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
