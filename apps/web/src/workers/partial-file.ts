import { systemClock } from '@sallyport/client/clock'
import type { Sink } from '@sallyport/client/download/sink'
import type { FileKeys } from '@sallyport/crypto'
import { createNotes } from './partial-notes.ts'
import { isInUse, noRoom, openHandle } from './private-handle.ts'
import { createSealedPlace } from './sealed-place.ts'
import type { SavedFile } from './tasks.ts'

/** The names within the folder of a file that is on its way. */
const bytesName = 'bytes'
const notesName = 'notes'

/**
 * A file in a folder of the private file system, encrypted until it is whole, with notes of what is there: an attempt that
 * breaks off, even with its page, is resumed where it was. Rejects where there is no such file system, or no room in it.
 */
export async function openPartialFile(name: string, keys: FileKeys): Promise<Sink<SavedFile>> {
  const { header } = keys
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(name, { create: true })
  const opened: FileSystemSyncAccessHandle[] = []
  const closeAll = () => {
    for (const handle of opened) handle.close()
  }
  const remove = async () => {
    closeAll()
    await root.removeEntry(name, { recursive: true })
  }
  const open = async (entry: string): Promise<FileSystemSyncAccessHandle> => {
    const handle = await openHandle(await folder.getFileHandle(entry, { create: true }))
    opened.push(handle)
    return handle
  }

  try {
    const bytes = await open(bytesName)
    const notes = createNotes(await open(notesName), keys, systemClock)
    const place = createSealedPlace({ bytes, notes, keys, onFull: () => new Error(noRoom) })
    const kept = bytes.getSize() === header.plainBytes ? await place.findKept() : []
    // Takes the room at once: better no start than a full disk in the middle.
    bytes.truncate(header.plainBytes)
    if (kept.length === 0) notes.clear()
    return {
      place: 'disk',
      isSeekable: true,
      kept,
      write: (_plain, position, sealed) => place.put(position, sealed),
      async close() {
        await place.decryptAll()
        closeAll()
        return { privateName: name }
      },
      abort: remove,
      async leave() {
        notes.flush()
        closeAll()
      },
    }
  } catch (error) {
    if (isInUse(error)) closeAll()
    else await remove().catch(() => undefined)
    throw error
  }
}
