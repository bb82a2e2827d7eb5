import type { Readable } from 'node:stream'
import type { ChunkHeaders } from '@sallyport/contract/upload-shapes'
import type { IncomingChunk } from './upload-parts.ts'

interface ChunkRequest {
  readonly headers: ChunkHeaders
  readonly body: Readable
}

/** What a request that carries a chunk says of it; whose it is, others know. */
export function sentChunk({ headers, body }: ChunkRequest): Omit<IncomingChunk, 'ownerId' | 'session'> {
  return {
    uploadKey: headers['x-upload-id'],
    index: headers['x-chunk-index'],
    sealedName: headers['x-file-name'],
    wrappedKey: headers['x-encrypted-file-key'],
    chunkBytes: headers['x-chunk-size'],
    expirationMinutes: headers['x-file-expiration-minutes'],
    announcedBytes: headers['content-length'],
    bytes: body,
  }
}

/** What tells a client that a chunk is kept. */
export const chunkStored = (index: number) => ({ chunkIndex: index, message: `Chunk ${index} stored` })
