import { SealedManifest, sealedArchive } from '@sallyport/contract/files'
import { recordOverheadBytes } from '@sallyport/crypto'
import { localHeaderStart, readLocalHeader } from '@sallyport/zip/read'
import * as z from 'zod/mini'
import { createExactReader, type ExactReader } from '../exact-reader.ts'

const longestManifestBytes = 64 * 1024 * 1024
const descriptorBytes = { small: 16, large: 24 } as const
const largeFrom = 0xffffffff

export interface SealedArchiveReader {
  readonly manifest: SealedManifest
  /** The sealed bytes of the file that comes next, or null when that is another one. */
  next(fileId: string): ReadableStream<Uint8Array> | null
  cancel(): Promise<void>
}

/** Reads an archive of sealed files from its front; null when it is none. */
export async function readSealedArchive(body: ReadableStream<Uint8Array>): Promise<SealedArchiveReader | null> {
  const reader = createExactReader(body)
  const manifest = await readManifest(reader)
  if (!manifest) {
    reader.cancel().catch(() => undefined)
    return null
  }
  const { files } = manifest
  let upcoming = 0
  let isBetween = true

  async function* piecesOf({ sealedSize, chunkSize }: SealedManifest['files'][number]): AsyncGenerator<Uint8Array> {
    const header = await readHeader(reader)
    if (!header) throw new Error('The archive is broken')
    for (let left = sealedSize; left > 0; ) {
      // A record at a time: what a break leaves behind can then still be used.
      const piece = await take(reader, Math.min(left, chunkSize + recordOverheadBytes))
      left -= piece.length
      yield piece
    }
    if (header.checksumFollows) {
      await take(reader, sealedSize < largeFrom ? descriptorBytes.small : descriptorBytes.large)
    }
    upcoming += 1
    isBetween = true
  }

  return {
    manifest,
    next(fileId) {
      const file = files[upcoming]
      if (!isBetween || file?.id !== fileId) return null
      isBetween = false
      return streamOf(piecesOf(file))
    },
    cancel: () => reader.cancel(),
  }
}

async function readManifest(reader: ExactReader): Promise<SealedManifest | null> {
  try {
    const header = await readHeader(reader)
    if (header?.name !== sealedArchive.manifestEntry || header.bytes > longestManifestBytes) return null
    const text = new TextDecoder().decode(await take(reader, header.bytes))
    const parsed = z.safeParse(SealedManifest, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

async function readHeader(reader: ExactReader) {
  const header = readLocalHeader(await take(reader, localHeaderStart))
  if (!header) return null
  const name = new TextDecoder().decode(await take(reader, header.nameBytes))
  await take(reader, header.extraBytes)
  return { ...header, name }
}

/** Rejects where the archive ends too early. */
async function take(reader: ExactReader, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await reader.fill(new ArrayBuffer(length), length)
  if (bytes.length < length) throw new Error('The archive ended too early')
  return bytes
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      // What is left of the file stays in front of the next one, so that the archive cannot be read on.
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
