import { Readable } from 'node:stream'
import type { BlobStore } from './blob-store.ts'
import type { ObjectPart } from './byte-range.rules.ts'

interface Reading {
  readonly blobs: BlobStore
  readonly fileId: string
  readonly parts: readonly ObjectPart[]
  /** Ends the reading. */
  readonly signal: AbortSignal
}

/**
 * One stream over parts of several objects. The first is open before this answers, so that a missing one can still be
 * refused; the file is not removed while the stream is read. A later one that cannot be read breaks the stream off.
 */
export async function openSealedStream({ blobs, fileId, parts, signal }: Reading): Promise<Readable> {
  const release = blobs.hold(fileId)
  const openPart = (part: ObjectPart): Promise<Readable> => blobs.open(fileId, part.index, part)
  let current: Readable | null = null
  try {
    const [firstPart, ...laterParts] = parts
    current = firstPart ? await openPart(firstPart) : null
    const stream = Readable.from(pieces(laterParts), { objectMode: false, signal })
    stream.once('close', () => {
      current?.destroy()
      release()
    })
    return stream
  } catch (error) {
    release()
    throw error
  }

  async function* pieces(laterParts: readonly ObjectPart[]): AsyncGenerator<Buffer> {
    if (current) yield* current
    for (const part of laterParts) {
      current = await openPart(part)
      yield* current
    }
  }
}
