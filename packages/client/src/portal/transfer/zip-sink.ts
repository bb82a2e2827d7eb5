import { checksumOf, combineChecksums } from '@sallyport/zip/checksum'
import type { WrittenEntry } from '@sallyport/zip/entry'
import { archiveBytes, centralDirectory, localHeader } from '@sallyport/zip/write'
import type { FileOffer, PortalSink } from '../channel.ts'

interface Piece {
  readonly position: number
  readonly length: number
  readonly checksum: number
}

/** The path of a file within its transfer. */
export const pathOf = ({ name, path }: FileOffer): string => (path === undefined ? name : `${path}/${name}`)

/**
 * Writes received files into one archive as their bytes arrive, in any order. `createTarget` receives the size of the
 * archive and creates its sink. Call the returned function once per file, in the order of `files`.
 */
export function createZipSinks(
  files: readonly FileOffer[],
  modifiedAt: number,
  createTarget: (bytes: number) => PortalSink,
): () => PortalSink {
  const entries = files.map((file) => ({ name: pathOf(file), bytes: file.size, modifiedAt, hasDescriptor: false }))
  const target = createTarget(archiveBytes(entries))
  const writtenEntries: WrittenEntry[] = []
  let offset = 0
  let next = 0
  const entryOffsets = entries.map((entry) => {
    const at = offset
    offset += localHeader(entry).length + entry.bytes
    return at
  })

  async function finishEntry(index: number, checksum: number): Promise<void> {
    const [entry, at] = [entries[index], entryOffsets[index]]
    if (!entry || at === undefined) return
    await target.write(localHeader(entry, checksum), at)
    writtenEntries[index] = { ...entry, offset: at, checksum }
    // `Object.keys` skips the holes of a sparse array, so this compares the number of finished entries.
    if (Object.keys(writtenEntries).length < entries.length) return
    await target.write(centralDirectory(writtenEntries, offset), offset)
    await target.finish()
  }

  return () => {
    const index = next
    next += 1
    const entry = entries[index]
    const start = entry ? (entryOffsets[index] ?? 0) + localHeader(entry).length : 0
    const pieces: Piece[] = []
    return {
      async write(bytes, position) {
        pieces.push({ position, length: bytes.length, checksum: checksumOf(bytes) })
        await target.write(bytes, start + position)
      },
      async finish() {
        const sorted = pieces.sort((left, right) => left.position - right.position)
        const fileChecksum = sorted.reduce((sum, { checksum, length }) => combineChecksums(sum, checksum, length), 0)
        await finishEntry(index, fileChecksum)
      },
      discard: () => target.discard(),
    }
  }
}
