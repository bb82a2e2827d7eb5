import { randomBytes } from 'node:crypto'
import { chunkBytesFor } from '@sallyport/contract/limits'
import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileHeader,
  sealedBytes,
  sealedSizeOf,
  sealName,
  standardRecordBytes,
  wrapFileKey,
} from '@sallyport/crypto'

/** What a request has to say of a file for the server to take bytes of the right lengths, sealed or not. */
export interface Ticketed {
  readonly header: FileHeader
  readonly envelope: string
  readonly shareEnvelope: string
  readonly name: string
  readonly sealedBytes: number
  /** Plain bytes of a chunk, and what lies on the wire for them. */
  readonly chunkBytes: number
  readonly sealedChunkBytes: number
}

/** A file's papers without the file: the yardstick sends plain bytes under them. */
export async function ticketOf(plainBytes: number): Promise<Ticketed> {
  const header = createFileHeader({ kind: 'personal', plainBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const chunkBytes = chunkBytesFor(plainBytes)
  const wrap = (wrapType: 'account' | 'share') =>
    wrapFileKey({ fileKey, keys, wrapType, root: new Uint8Array(randomBytes(32)) })
  return {
    header,
    envelope: await wrap('account'),
    shareEnvelope: await wrap('share'),
    name: await sealName({ name: 'plain.bin', mimeType: '', lastModified: 0 }, keys),
    sealedBytes: sealedBytes(header),
    chunkBytes,
    sealedChunkBytes: sealedSizeOf(chunkBytes, standardRecordBytes),
  }
}
