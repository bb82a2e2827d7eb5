import { recordOverheadBytes } from '@sallyport/contract/limits'
import { refuse } from '../errors.ts'
import { type ByteAnswer, sealedBytesHeaders } from '../http/byte-answer.ts'
import { type ByteRange, partsOf, readRange } from './byte-range.rules.ts'
import { openSealedStream } from './sealed-stream.ts'
import type { Volumes } from './volumes.ts'

/** What is known of a file that is kept in sealed form. */
export interface SealedFile {
  readonly id: string
  readonly volume: string
  readonly sealedName: string
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed bytes of every object but the last. */
  readonly objectBytes: number
}

interface Wish {
  readonly volumes: Volumes
  /** The Range header as it came. */
  readonly range: string | undefined
  readonly gone: AbortSignal
  /** Called when the last byte of the file has gone out. */
  readonly onServed: () => void
  /** Allows or refuses so many bytes, before any is read. */
  readonly onAsked?: (bytes: number) => Promise<void>
}

/** The headers every answer about a sealed file carries. */
export const sealedFileHeaders = (file: SealedFile): Record<string, string> => ({
  ...sealedBytesHeaders,
  'Accept-Ranges': 'bytes',
  'X-Chunk-Size': String(file.recordBytes),
  'Content-Disposition': `attachment; filename="${file.sealedName}"`,
})

/** The sealed bytes of a file, all of them or the range that is asked for. */
export async function answerSealedFile(
  file: SealedFile,
  { volumes, range, gone, onServed, onAsked }: Wish,
): Promise<ByteAnswer> {
  const asked = readRange(range, file.sealedBytes)
  if (asked.kind === 'none') {
    throw refuse('RANGE_NOT_SATISFIABLE', { headers: { 'Content-Range': `bytes */${file.sealedBytes}` } })
  }
  const part: ByteRange = asked.kind === 'part' ? asked.range : { start: 0, end: file.sealedBytes - 1 }
  const bytes = part.end - part.start + 1
  await onAsked?.(bytes)
  const stream = await openSealedStream({
    blobs: volumes.of(file.volume),
    fileId: file.id,
    parts: partsOf(file, part),
    signal: gone,
  })
  // Players look for an index at the end of a file; more than a record of it is the file itself.
  const isIndex = asked.kind === 'part' && asked.isTail && bytes <= file.recordBytes + recordOverheadBytes
  const isDownload = part.end === file.sealedBytes - 1 && !isIndex
  return {
    status: asked.kind === 'part' ? 206 : 200,
    headers: {
      ...sealedFileHeaders(file),
      'Content-Length': String(bytes),
      ...(asked.kind === 'part' && { 'Content-Range': `bytes ${part.start}-${part.end}/${file.sealedBytes}` }),
    },
    stream,
    ...(isDownload && { onServed }),
  }
}
