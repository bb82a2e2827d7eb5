import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type SealedManifest, sealedArchive } from '@sallyport/contract/files'
import type { PlacedEntry, ZipEntry } from '@sallyport/zip/entry'
import { archiveBytes, dataDescriptor, directory, localHeader } from '@sallyport/zip/write'
import { partsOf } from '../blobs/byte-range.rules.ts'
import type { SealedFile } from '../blobs/sealed-answer.ts'
import { openSealedStream } from '../blobs/sealed-stream.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { asListedFile, type FileFacts } from '../uploads/listed-file.ts'

export type ArchivedFile = SealedFile & FileFacts

interface Wish {
  readonly files: readonly ArchivedFile[]
  readonly volumes: Volumes
  readonly now: number
  /** Ends the reading. */
  readonly signal: AbortSignal
}

interface SealedArchive {
  readonly bytes: number
  readonly stream: Readable
}

/**
 * One archive of sealed files, read as it is sent. None of them is removed while it is read; one that cannot be read
 * breaks the stream off, so that an archive is whole or not there.
 */
export function openSealedArchive({ files, volumes, now, signal }: Wish): SealedArchive {
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
    const placed: PlacedEntry[] = []
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
    yield directory(placed, offset)
  }

  async function* bytesOf(file: ArchivedFile): AsyncGenerator<Buffer> {
    const parts = partsOf(file, { start: 0, end: file.sealedBytes - 1 })
    yield* await openSealedStream({ blobs: volumes.of(file.volume), fileId: file.id, parts, signal })
  }
}

const entryName = ({ id }: ArchivedFile): string => `${id}.ef1`

const manifestOf = (files: readonly ArchivedFile[]): SealedManifest => ({
  version: 1,
  files: files.map((file) => ({
    ...asListedFile(file),
    entry: entryName(file),
    sealedSize: file.sealedBytes,
    chunkSize: file.recordBytes,
  })),
})
