import { SealedManifest, sealedArchive } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { recordOverheadBytes } from '@sallyport/crypto'
import { localHeaderFixedBytes, parseLocalHeader } from '@sallyport/zip/read'
import * as z from 'zod/mini'
import { createExactReader, type ExactReader } from '../exact-reader.ts'

const maxManifestBytes = 64 * 1024 * 1024
const descriptorBytes = { small: 16, large: 24 } as const
const zip64Threshold = 0xffffffff

export interface SealedArchiveReader {
  readonly manifest: SealedManifest
  /** The sealed bytes of the next file, or null if the next file is a different one. */
  next(fileId: string): ReadableStream<Uint8Array> | null
  /**
   * Reads the next file whole, or returns null if it is a different one or of another length. Rejects where the archive
   * ends too early.
   */
  readWhole(fileId: string, sealedBytes: number): Promise<Uint8Array<ArrayBuffer> | null>
  cancel(): Promise<void>
}

/**
 * Reads an archive of sealed files sequentially; returns null if the stream is not one. Rejects if the connection breaks
 * before its manifest is read.
 */
export async function readSealedArchive(body: ReadableStream<Uint8Array>): Promise<SealedArchiveReader | null> {
  const reader = createExactReader(body)
  const manifest = await readManifest(reader)
  if (!manifest) {
    reader.cancel().catch((error) => ignore(error, 'nothing more is read'))
    return null
  }
  const { files } = manifest
  let nextIndex = 0
  let isAtEntryStart = true

  type ManifestFile = SealedManifest['files'][number]

  async function startEntry() {
    const header = await readHeader(reader)
    if (!header) throw new Error('The archive is broken')
    return header
  }

  async function endEntry({ sealedSize }: ManifestFile, { checksumFollows }: { readonly checksumFollows: boolean }) {
    if (checksumFollows) {
      await readExactly(reader, sealedSize < zip64Threshold ? descriptorBytes.small : descriptorBytes.large)
    }
    nextIndex += 1
    isAtEntryStart = true
  }

  async function* generatePieces(file: ManifestFile): AsyncGenerator<Uint8Array> {
    const { sealedSize, chunkSize } = file
    const header = await startEntry()
    for (let remaining = sealedSize; remaining > 0; ) {
      // Yields one record at a time, so that the records before a break remain usable.
      const piece = await readExactly(reader, Math.min(remaining, chunkSize + recordOverheadBytes))
      remaining -= piece.length
      yield piece
    }
    await endEntry(file, header)
  }

  return {
    manifest,
    next(fileId) {
      const file = files[nextIndex]
      if (!isAtEntryStart || file?.id !== fileId) return null
      isAtEntryStart = false
      return toReadableStream(generatePieces(file))
    },
    async readWhole(fileId, sealedBytes) {
      const file = files[nextIndex]
      if (!isAtEntryStart || file?.id !== fileId || file.sealedSize !== sealedBytes) return null
      isAtEntryStart = false
      const header = await startEntry()
      const sealed = await readExactly(reader, sealedBytes)
      await endEntry(file, header)
      return sealed
    },
    cancel: () => reader.cancel(),
  }
}

async function readManifest(reader: ExactReader): Promise<SealedManifest | null> {
  try {
    const header = await readHeader(reader)
    if (header?.name !== sealedArchive.manifestEntry || header.bytes > maxManifestBytes) return null
    const text = new TextDecoder().decode(await readExactly(reader, header.bytes))
    const parsed = z.safeParse(SealedManifest, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (!(error instanceof EarlyEndError || error instanceof SyntaxError)) throw error
    ignore(error, 'this is not an archive')
    return null
  }
}

/** The archive ended before all its bytes, although the connection did not break. */
class EarlyEndError extends Error {}

async function readHeader(reader: ExactReader) {
  const header = parseLocalHeader(await readExactly(reader, localHeaderFixedBytes))
  if (!header) return null
  const name = new TextDecoder().decode(await readExactly(reader, header.nameBytes))
  await readExactly(reader, header.extraBytes)
  return { ...header, name }
}

/** Rejects where the archive ends too early. */
async function readExactly(reader: ExactReader, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await reader.fill(new ArrayBuffer(length), length)
  if (bytes.length < length) throw new EarlyEndError('The archive ended too early')
  return bytes
}

function toReadableStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      // The rest of the file remains unread before the next entry, so the archive cannot be read further.
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
