import { systemClock } from '@sallyport/client/clock'
import { createFileHeader, createFileKey, deriveFileKeys, type FileKeys } from '@sallyport/crypto'
import { openPartialFolder } from './partial-folder.ts'
import { createNotes, notesInMemory } from './partial-notes.ts'
import { noRoom, openPrivateHandle } from './private-handle.ts'
import { createSealedPlace } from './sealed-place.ts'
import { createStagedFile, type StagedFile } from './staged-file.ts'

/** As long as a block that arrives through a portal, so that each is encrypted once. */
const recordBytes = 1024 * 1024

export interface OpenStagedFile extends Pick<StagedFile, 'write' | 'read'> {
  /** Afterwards what was written outlives this page, encrypted. */
  flush(): Promise<void>
  /** Leaves the first `length` bytes decrypted, for the browser to copy, and lets go of the file. */
  finish(length: number): Promise<void>
  /** Lets go of the file, and leaves it as it is. */
  leave(): Promise<void>
  remove(): Promise<void>
}

/**
 * A file of so many bytes in the private file system, encrypted under a key that only this worker has: what a crash leaves
 * of it nobody decrypts. Rejects where there is no such file system, or no room in it.
 */
export async function openStagedFile(privateName: string, bytes: number): Promise<OpenStagedFile> {
  const keys = await keysOf(createFileKey(), bytes)
  const { handle, close, remove } = await openPrivateHandle(privateName, bytes)
  const notes = createNotes(notesInMemory, keys, systemClock)
  const place = createSealedPlace({ bytes: handle, notes, keys, onFull: () => new Error(noRoom) })
  const file = createStagedFile(place, keys)
  return {
    write: file.write,
    read: file.read,
    async flush() {
      await file.sealHeld()
      handle.flush()
    },
    async finish(length) {
      await file.decrypt(length)
      // Shorter than the room that was taken where something was left out.
      handle.truncate(length)
      close()
    },
    async leave() {
      close()
    },
    remove,
  }
}

interface Resumable {
  /** Ends with a UUID. */
  readonly privateName: string
  readonly bytes: number
  /** 32 bytes. Who has them decrypts what is there. */
  readonly key: Uint8Array
}

/** The same in a folder, under a key that a later page is given again: it finds there what was flushed. */
export async function openResumableFile({ privateName, bytes, key }: Resumable): Promise<OpenStagedFile> {
  const keys = await keysOf(key, bytes, uuidBytes(privateName))
  const folder = await openPartialFolder(privateName)
  try {
    const notes = createNotes(folder.notes, keys, systemClock)
    // Takes the room at once: better no start than a full disk in the middle.
    if (folder.bytes.getSize() !== bytes) {
      notes.clear()
      folder.bytes.truncate(bytes)
    }
    const place = createSealedPlace({ bytes: folder.bytes, notes, keys, onFull: () => new Error(noRoom) })
    const file = createStagedFile(place, keys)
    const flush = async () => {
      await file.sealHeld()
      folder.bytes.flush()
      notes.flush()
      folder.notes.flush()
    }
    return {
      write: file.write,
      read: file.read,
      flush,
      async finish(length) {
        await file.decrypt(length)
        folder.close()
      },
      async leave() {
        await flush()
        folder.close()
      },
      remove: folder.remove,
    }
  } catch (error) {
    await folder.remove().catch(() => undefined)
    throw error
  }
}

/** One place, one id: a key that is used for several files of a transfer gives other keys for each. */
async function keysOf(key: Uint8Array, plainBytes: number, fileUid?: Uint8Array<ArrayBuffer>): Promise<FileKeys> {
  const header = createFileHeader({ kind: 'portal', plainBytes, recordBytes })
  return deriveFileKeys(key, fileUid ? { ...header, fileUid } : header)
}

/** The 16 bytes of the UUID that a name ends with. */
const uuidBytes = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(name.slice(-36).replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
