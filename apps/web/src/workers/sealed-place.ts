import type { RecordRange } from '@sallyport/client/download/plan'
import {
  type Bytes,
  type FileKeys,
  imprintOf,
  joinRecord,
  openRecord,
  recordBody,
  recordPlainBytes,
} from '@sallyport/crypto'
import type { Notes, NotesPlace } from './partial-notes.ts'

export type SealedPlace = ReturnType<typeof createSealedPlace>

interface SealedPlaceInput {
  /** Has the length of the plain file from the beginning. */
  readonly bytes: NotesPlace
  readonly notes: Notes
  readonly keys: FileKeys
  /** Thrown when the file system takes fewer bytes than it was given. */
  readonly onFull: () => Error
}

const changed = 'The file was changed on the disk while it was downloaded. Try again.'

/**
 * Records of a file that is on its way, encrypted as they came: what lies on the disk cannot be read without the key of
 * the file. A record without its IV and tag is as long as its plain bytes, so each lies where those will be.
 */
export function createSealedPlace({ bytes, notes, keys, onFull }: SealedPlaceInput) {
  const { header } = keys

  function write(piece: Uint8Array<ArrayBuffer>, position: number): void {
    if (bytes.write(piece, { at: position }) !== piece.length) throw onFull()
  }

  /** Null when the record is not there as it came. */
  async function open(index: number): Promise<Bytes | null> {
    const body = new Uint8Array(recordPlainBytes(header, index))
    if (bytes.read(body, { at: index * header.recordBytes }) !== body.length) return null
    return openRecord(keys, index, joinRecord(notes.imprint(index), body)).catch(() => null)
  }

  return {
    put(position: number, sealed: Uint8Array<ArrayBuffer>): void {
      write(recordBody(sealed), position)
      notes.note(position / header.recordBytes, imprintOf(sealed))
    },

    /** A record that was put, decrypted; null where none was. Rejects where it was changed since. */
    async read(index: number): Promise<Bytes | null> {
      if (!notes.has(index)) return null
      const plain = await open(index)
      if (!plain) throw new Error(changed)
      return plain
    },

    /** The records that are there, each opened to see: after a power cut a note may be on the disk and its bytes not. */
    async findKept(): Promise<RecordRange[]> {
      const kept: { first: number; end: number }[] = []
      for (let index = 0; index < header.recordCount; index += 1) {
        if (!notes.has(index) || !(await open(index))) continue
        const last = kept.at(-1)
        if (last?.end === index) last.end = index + 1
        else kept.push({ first: index, end: index + 1 })
      }
      return kept
    },

    /**
     * Decrypts the whole file in its place, or as many bytes of it as were written. From here on nothing counts as kept: a
     * crash leaves what the next visit removes.
     */
    async decryptAll(length = header.plainBytes): Promise<void> {
      notes.forget()
      const count = Math.min(header.recordCount, Math.ceil(length / header.recordBytes))
      let next = open(0)
      for (let index = 0; index < count; index += 1) {
        const plain = await next
        // The next record is decrypted while this one is written.
        if (index + 1 < count) next = open(index + 1)
        if (!plain) throw new Error(changed)
        write(plain, index * header.recordBytes)
      }
    },
  }
}
