import type { Readable } from 'node:stream'
import { files } from '@sallyport/contract/files'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ChunkHeaders } from '@sallyport/contract/upload-shapes'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { IncomingChunk } from './upload-deps.ts'
import type { UploadService } from './uploads.service.ts'

interface UploadRoutesDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly uploads: UploadService
}

export function uploadRoutes(app: FastifyInstance, { uploads, rateLimiter }: UploadRoutesDeps): void {
  // The database and the folders may be closed only when the chunks of aborted requests are no longer written.
  app.addHook('onClose', uploads.whenIdle)

  mount(app, files.warmUp, async ({ address }) => {
    await rateLimiter.require(`warm-ups:${address}`, rateLimits.warmUpsPerAddress)
    return undefined
  })

  mount(app, files.upload, async ({ caller, headers, body, disconnectSignal }) => {
    const id = await uploads.receiveWhole({
      ownerId: caller.account.userId,
      session: null,
      sealedName: headers['x-file-name'],
      wrappedKey: headers['x-encrypted-file-key'],
      expirationMinutes: headers['x-file-expiration-minutes'],
      announcedBytes: headers['content-length'],
      bytes: body,
      disconnectSignal,
    })
    return { id, fileId: id, message: 'Upload complete' }
  })

  mount(app, files.uploadChunk, async (request) => {
    const chunk = parseChunkRequest(request)
    await uploads.receive({ ...chunk, ownerId: request.caller.account.userId, session: null })
    return chunkStoredReply(chunk.index)
  })

  mount(app, files.completeUpload, async ({ caller, body }) => {
    const { uploadId, ...summary } = body
    return { fileId: await uploads.complete(caller.account.userId, uploadId, summary), message: 'Upload complete' }
  })

  mount(app, files.openUploads, async ({ caller }) => ({ uploads: await uploads.listOpen(caller.account.userId) }))

  mount(app, files.openUpload, async ({ caller, params }) => uploads.findOpen(caller.account.userId, params.uploadId))

  mount(app, files.cancelUpload, async ({ caller, params }) => {
    await uploads.cancel(caller.account.userId, params.uploadId)
    return {}
  })
}

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
