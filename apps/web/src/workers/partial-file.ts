import { systemClock } from '@sallyport/client/clock'
import type { RecordRange } from '@sallyport/client/download/plan'
import type { Sink } from '@sallyport/client/download/sink'
import { type FileKeys, recordPlainBytes } from '@sallyport/crypto'
import { createNotes, type Notes } from './partial-notes.ts'
import { isInUse, noRoom, openHandle } from './private-handle.ts'
import type { SavedFile } from './tasks.ts'

/** The names within the folder of a file that is on its way. */
const bytesName = 'bytes'
const notesName = 'notes'

/**
 * A file in a folder of the private file system, with notes beside it of what is there: an attempt that breaks off, even
 * with its page, is taken up where it was. Rejects where there is no such file system, or no room in it.
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
    const kept = bytes.getSize() === header.plainBytes ? await findKept(bytes, notes, keys) : []
    // Takes the room at once: better no start than a full disk in the middle.
    bytes.truncate(header.plainBytes)
    if (kept.length === 0) notes.clear()
    return {
      place: 'disk',
      isSeekable: true,
      kept,
      write(piece, position, imprint) {
        if (bytes.write(piece, { at: position }) !== piece.length) throw new Error(noRoom)
        notes.note(position / header.recordBytes, imprint)
      },
      async close() {
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

/** Reads again what is noted: after a power cut a note may be on the disk and its bytes not. */
async function findKept(bytes: FileSystemSyncAccessHandle, notes: Notes, { header }: FileKeys): Promise<RecordRange[]> {
  const buffer = new Uint8Array(header.recordBytes)
  const kept: { first: number; end: number }[] = []
  for (let index = 0; index < header.recordCount; index += 1) {
    if (!notes.has(index)) continue
    const piece = buffer.subarray(0, recordPlainBytes(header, index))
    const read = bytes.read(piece, { at: index * header.recordBytes })
    if (read !== piece.length || !(await notes.fits(index, piece))) continue
    const last = kept.at(-1)
    if (last?.end === index) last.end = index + 1
    else kept.push({ first: index, end: index + 1 })
  }
  return kept
}
