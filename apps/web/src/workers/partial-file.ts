import { systemClock } from '@sallyport/client/clock'
import type { Sink } from '@sallyport/client/download/sink'
import type { FileKeys } from '@sallyport/crypto'
import { openPartialFolder } from './partial-folder.ts'
import { createNotes } from './partial-notes.ts'
import { noRoom } from './private-handle.ts'
import { createSealedPlace } from './sealed-place.ts'
import type { SavedFile } from './tasks.ts'

/**
 * A file in a folder of the private file system, encrypted until it is whole, with notes of what is there: an attempt that
 * breaks off, even with its page, is resumed where it was. Rejects where there is no such file system, or no room in it.
 */
export async function openPartialFile(name: string, keys: FileKeys): Promise<Sink<SavedFile>> {
  const { header } = keys
  const { bytes, notes: notesHandle, close, remove } = await openPartialFolder(name)
  try {
    const notes = createNotes(notesHandle, keys, systemClock)
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
        close()
        return { privateName: name }
      },
      abort: remove,
      async leave() {
        notes.flush()
        close()
      },
    }
  } catch (error) {
    await remove().catch(() => undefined)
    throw error
  }
}
