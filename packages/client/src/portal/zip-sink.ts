import { checksumOf, joinChecksums } from '@sallyport/zip/checksum'
import type { PlacedEntry } from '@sallyport/zip/entry'
import { archiveBytes, directory, localHeader } from '@sallyport/zip/write'
import type { FileOffer, PortalSink } from './channel.ts'

interface Piece {
  readonly position: number
  readonly length: number
  readonly checksum: number
}

/** The path of a file within its transfer. */
export const pathOf = ({ name, path }: FileOffer): string => (path === undefined ? name : `${path}/${name}`)

/**
 * Puts arriving files together to one archive while they come, in whatever order their bytes do. `targetOf` is given its
 * size and makes the place it goes to. The answer is called once for each file, in their order.
 */
export function createZipSinks(
  files: readonly FileOffer[],
  modifiedAt: number,
  targetOf: (bytes: number) => PortalSink,
): () => PortalSink {
  const entries = files.map((file) => ({ name: pathOf(file), bytes: file.size, modifiedAt, hasDescriptor: false }))
  const target = targetOf(archiveBytes(entries))
  const placed: PlacedEntry[] = []
  let offset = 0
  let next = 0
  const begins = entries.map((entry) => {
    const at = offset
    offset += localHeader(entry).length + entry.bytes
    return at
  })

  async function finishEntry(index: number, checksum: number): Promise<void> {
    const [entry, at] = [entries[index], begins[index]]
    if (!entry || at === undefined) return
    await target.write(localHeader(entry, checksum), at)
    placed[index] = { ...entry, offset: at, checksum }
    // Empty places are not counted, so this holds only once every entry is there.
    if (Object.keys(placed).length < entries.length) return
    await target.write(directory(placed, offset), offset)
    await target.finish()
  }

  return () => {
    const index = next
    next += 1
    const entry = entries[index]
    const start = entry ? (begins[index] ?? 0) + localHeader(entry).length : 0
    const pieces: Piece[] = []
    return {
      async write(bytes, position) {
        pieces.push({ position, length: bytes.length, checksum: checksumOf(bytes) })
        await target.write(bytes, start + position)
      },
      async finish() {
        const inOrder = pieces.sort((left, right) => left.position - right.position)
        const whole = inOrder.reduce((sum, { checksum, length }) => joinChecksums(sum, checksum, length), 0)
        await finishEntry(index, whole)
      },
      discard: () => target.discard(),
    }
  }
}
