import { recordOverheadBytes } from '@sallyport/contract/limits'
import { apiError } from '../../errors.ts'
import { type ByteResponse, sealedBytesHeaders } from '../http/byte-response.ts'
import { type ByteRange, parseRange, toObjectParts } from './byte-range.rules.ts'
import type { EndAfterExpiry } from './end-after-expiry.ts'
import { openSealedStream } from './sealed-stream.ts'
import type { Volumes } from './volumes.ts'

/** Metadata of a stored encrypted file. */
export interface SealedFile {
  readonly id: string
  readonly volume: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly sealedName: string
  readonly sealedBytes: number
  readonly recordBytes: number
  /** Sealed size of every object but the last. */
  readonly objectBytes: number
}

interface SealedFileResponseOptions {
  readonly volumes: Volumes
  readonly endAfterExpiry: EndAfterExpiry
  /** The unparsed Range header. */
  readonly range: string | undefined
  /** The key of the caller in queues. */
  readonly caller: string
  readonly disconnectSignal: AbortSignal
  /** Called after the last byte of the file was sent. */
  readonly onServed: () => void
  /** Authorizes this number of bytes before any of them is read. */
  readonly authorizeBytes?: (bytes: number) => Promise<void>
}

/** Headers of every response with an encrypted file. */
export const sealedFileHeaders = (file: SealedFile): Record<string, string> => ({
  ...sealedBytesHeaders,
  'Accept-Ranges': 'bytes',
  'X-Chunk-Size': String(file.recordBytes),
  'Content-Disposition': `attachment; filename="${file.sealedName}"`,
})

/** Opens the response with an encrypted file or the requested range of it. */
export async function openSealedFileResponse(
  file: SealedFile,
  { volumes, endAfterExpiry, range, caller, disconnectSignal, onServed, authorizeBytes }: SealedFileResponseOptions,
): Promise<ByteResponse> {
  const requested = parseRange(range, file.sealedBytes)
  if (requested.kind === 'none') {
    throw apiError('RANGE_NOT_SATISFIABLE', { headers: { 'Content-Range': `bytes */${file.sealedBytes}` } })
  }
  const part: ByteRange = requested.kind === 'part' ? requested.range : { start: 0, end: file.sealedBytes - 1 }
  const bytes = part.end - part.start + 1
  await authorizeBytes?.(bytes)
  const stream = await openSealedStream({
    blobs: volumes.of(file.volume),
    fileId: file.id,
    parts: toObjectParts(file, part),
    caller,
    signal: disconnectSignal,
  })
  endAfterExpiry(stream, file)
  // Players read the index at the end of a file; a suffix range of more than one record is a download.
  const isIndex = requested.kind === 'part' && requested.isTail && bytes <= file.recordBytes + recordOverheadBytes
  const isDownload = part.end === file.sealedBytes - 1 && !isIndex
  return {
    status: requested.kind === 'part' ? 206 : 200,
    headers: {
      ...sealedFileHeaders(file),
      'Content-Length': String(bytes),
      ...(requested.kind === 'part' && { 'Content-Range': `bytes ${part.start}-${part.end}/${file.sealedBytes}` }),
    },
    stream,
    ...(isDownload && { onServed }),
  }
}
