import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type SealedManifest, sealedArchive } from '@sallyport/contract/files'
import type { WrittenEntry, ZipEntry } from '@sallyport/zip/entry'
import { archiveBytes, centralDirectory, dataDescriptor, localHeader } from '@sallyport/zip/write'
import type { ServerContext } from '../../../context.ts'
import { toObjectParts } from '../../../platform/storage/byte-range.rules.ts'
import type { SealedFile } from '../../../platform/storage/sealed-response.ts'
import { openSealedStream } from '../../../platform/storage/sealed-stream.ts'
import { type FileMetadata, toListedFile } from '../uploads/listed-file.ts'

export type ArchivedFile = SealedFile & FileMetadata

/**
 * How long the stream stays open after a file could not be opened: browsers discard received bytes that the page has not
 * read when a connection breaks, and a small archive would lose its manifest.
 */
const errorDelayMs = 1000

interface OpenSealedArchiveOptions extends Pick<ServerContext, 'volumes' | 'endAfterExpiry'> {
  readonly files: readonly ArchivedFile[]
  readonly now: number
  /** The key of the caller in queues. */
  readonly caller: string
  /** Aborts the reading. */
  readonly signal: AbortSignal
}

interface SealedArchive {
  readonly bytes: number
  readonly stream: Readable
}

/**
 * Streams an archive of encrypted files. None of them is removed while it is being read. An unreadable or expired file
 * destroys the stream, so that an archive is never incomplete.
 */
export function openSealedArchive({
  files,
  volumes,
  endAfterExpiry,
  now,
  caller,
  signal,
}: OpenSealedArchiveOptions): SealedArchive {
  const manifest = Buffer.from(JSON.stringify(manifestOf(files)))
  const entries: readonly ZipEntry[] = [
    { name: sealedArchive.manifestEntry, bytes: manifest.length, modifiedAt: now, hasDescriptor: false },
    ...files.map((file) => ({
      name: entryName(file),
      bytes: file.sealedBytes,
      modifiedAt: file.createdAt,
      hasDescriptor: true,
    })),
  ]
  const stores = files.map(({ volume }) => volumes.of(volume))
  const releases = stores.map((store, at) => store.hold(files[at]?.id ?? ''))
  const stream = Readable.from(pieces(), { objectMode: false, signal })
  stream.once('close', () => {
    for (const release of releases) release()
  })
  return { bytes: archiveBytes(entries), stream }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    const placed: WrittenEntry[] = []
    let offset = 0
    for (const [at, entry] of entries.entries()) {
      const file = files[at - 1]
      const start = offset
      let checksum = file ? 0 : crc32(manifest)
      const header = localHeader(entry, checksum)
      offset += header.length
      yield header
      for await (const piece of file ? bytesOf(file) : [manifest]) {
        if (file) checksum = crc32(piece, checksum)
        offset += piece.length
        yield piece
      }
      placed.push({ ...entry, offset: start, checksum })
      if (!entry.hasDescriptor) continue
      const descriptor = dataDescriptor(entry, checksum)
      offset += descriptor.length
      yield descriptor
    }
    yield centralDirectory(placed, offset)
  }

  async function* bytesOf(file: ArchivedFile): AsyncGenerator<Buffer> {
    const parts = toObjectParts(file, { start: 0, end: file.sealedBytes - 1 })
    const opening = openSealedStream({ blobs: volumes.of(file.volume), fileId: file.id, parts, caller, signal })
    const opened = await opening.catch(async (error: unknown) => {
      await pause(errorDelayMs, undefined, { signal })
      throw error
    })
    // The archive ends even if its client reads nothing.
    opened.once('error', (error) => stream.destroy(error))
    endAfterExpiry(opened, file)
    yield* opened
  }
}

const entryName = ({ id }: ArchivedFile): string => `${id}.ef1`

const manifestOf = (files: readonly ArchivedFile[]): SealedManifest => ({
  version: 1,
  files: files.map((file) => ({
    ...toListedFile(file),
    entry: entryName(file),
    sealedSize: file.sealedBytes,
    chunkSize: file.recordBytes,
  })),
})
