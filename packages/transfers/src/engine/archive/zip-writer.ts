import { checksumOf } from '@sallyport/zip/checksum'
import type { WrittenEntry, ZipEntry } from '@sallyport/zip/entry'
import { centralDirectory, localHeader } from '@sallyport/zip/write'
import type { ArchiveTarget } from './archive-target.ts'

export interface ZipWriter {
  /** Starts an entry; an entry that was started and not ended is discarded. */
  begin(entry: ZipEntry): Promise<void>
  /** Writes the next bytes of the current entry. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Ends the current entry after its last byte. */
  end(): Promise<void>
  /** Writes a whole entry at once. */
  add(entry: ZipEntry, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Writes the central directory of the ended entries; returns the length of the archive. */
  finish(): Promise<number>
}

/** Writes an archive file by file. An entry that is not ended leaves nothing behind. */
export function createZipWriter(target: Pick<ArchiveTarget<unknown>, 'write' | 'truncate'>): ZipWriter {
  const writtenEntries: WrittenEntry[] = []
  /** Offset of the next entry. */
  let offset = 0
  let position = 0
  let checksum = 0
  let entry: ZipEntry | null = null

  async function discardUnfinished(): Promise<void> {
    if (position > offset) await target.truncate(offset)
    position = offset
  }

  async function append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const start = position
    position += bytes.length
    await target.write(bytes, start)
  }

  return {
    async begin(next) {
      await discardUnfinished()
      entry = next
      checksum = 0
      await append(localHeader(next))
    },
    async write(bytes) {
      checksum = checksumOf(bytes, checksum)
      await append(bytes)
    },
    async end() {
      if (!entry) throw new Error('No entry was started')
      // The checksum precedes the bytes and is known only now.
      await target.write(localHeader(entry, checksum), offset)
      writtenEntries.push({ ...entry, offset, checksum })
      offset = position
      entry = null
    },
    async add(whole, bytes) {
      await discardUnfinished()
      entry = null
      const wholeChecksum = checksumOf(bytes, 0)
      const header = localHeader(whole, wholeChecksum)
      const joined = new Uint8Array(header.length + bytes.length)
      joined.set(header)
      joined.set(bytes, header.length)
      await append(joined)
      freeBytes(joined)
      writtenEntries.push({ ...whole, offset, checksum: wholeChecksum })
      offset = position
    },
    async finish() {
      await discardUnfinished()
      await append(centralDirectory(writtenEntries, offset))
      return position
    },
  }
}

/** Frees memory that nothing uses any more: the small buffers of thousands of files would wait for a garbage collection. */
export function freeBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  if ('transfer' in buffer) buffer.transfer(0)
}
