import type { Readable } from 'node:stream'
import type { ChunkHeaders } from '@sallyport/contract/upload-shapes'
import type { IncomingChunk } from '../upload-deps.ts'

interface ChunkRequest {
  readonly headers: ChunkHeaders
  readonly body: Readable
}

/** Reads the chunk that a request carries; the caller adds its owner and session. */
export function parseChunkRequest({ headers, body }: ChunkRequest): Omit<IncomingChunk, 'ownerId' | 'session'> {
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

/** The response to a stored chunk. */
export const chunkStoredReply = (index: number) => ({ chunkIndex: index, message: `Chunk ${index} stored` })
