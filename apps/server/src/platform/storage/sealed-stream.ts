import { Readable } from 'node:stream'
import type { BlobStore } from './blob-store.ts'
import type { ObjectPart } from './byte-range.rules.ts'

interface OpenSealedStreamOptions {
  readonly blobs: BlobStore
  readonly fileId: string
  readonly parts: readonly ObjectPart[]
  /** The key of the caller in queues. */
  readonly caller: string
  /** Aborts the reading. */
  readonly signal: AbortSignal
}

/**
 * Opens one stream over parts of several objects. The first part is opened before this resolves, so that a missing
 * object still gets an error response; an error in a later part destroys the stream. The file is not removed while it
 * is being read.
 */
export async function openSealedStream({
  blobs,
  fileId,
  parts,
  caller,
  signal,
}: OpenSealedStreamOptions): Promise<Readable> {
  const release = blobs.hold(fileId)
  const openPart = (part: ObjectPart): Promise<Readable> => blobs.open(fileId, part.index, part, caller)
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
