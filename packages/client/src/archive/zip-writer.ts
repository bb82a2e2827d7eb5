import { checksumOf } from '@sallyport/zip/checksum'
import type { PlacedEntry, ZipEntry } from '@sallyport/zip/entry'
import { directory, localHeader } from '@sallyport/zip/write'
import type { ArchiveTarget } from './archive-target.ts'

export interface ZipWriter {
  /** Goes on with this file, in place of one that was begun and has not ended. */
  begin(entry: ZipEntry): Promise<void>
  /** The next bytes of the file that was begun. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Every byte of the file is there. */
  end(): Promise<void>
  /** Writes the table of contents of the files that have ended; gives the length of the archive. */
  finish(): Promise<number>
}

/** Writes an archive file by file. A file that does not come to its end leaves nothing behind in it. */
export function createZipWriter(target: Pick<ArchiveTarget<unknown>, 'write' | 'cut'>): ZipWriter {
  const placed: PlacedEntry[] = []
  /** Where the next file begins. */
  let offset = 0
  let position = 0
  let checksum = 0
  let entry: ZipEntry | null = null

  async function leaveUnfinished(): Promise<void> {
    if (position > offset) await target.cut(offset)
    position = offset
  }

  async function append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const at = position
    position += bytes.length
    await target.write(bytes, at)
  }

  return {
    async begin(next) {
      await leaveUnfinished()
      entry = next
      checksum = 0
      await append(localHeader(next))
    },
    async write(bytes) {
      checksum = checksumOf(bytes, checksum)
      await append(bytes)
    },
    async end() {
      if (!entry) throw new Error('No file was begun')
      // Only now is the checksum known that stands in front of the bytes.
      await target.write(localHeader(entry, checksum), offset)
      placed.push({ ...entry, offset, checksum })
      offset = position
      entry = null
    },
    async finish() {
      await leaveUnfinished()
      await append(directory(placed, offset))
      return position
    },
  }
}
