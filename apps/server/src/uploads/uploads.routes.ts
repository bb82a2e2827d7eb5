import { files } from '@sallyport/contract/files'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../errors.ts'
import { mount } from '../http/mount.ts'
import type { Attempts } from '../limits/attempts.ts'
import { chunkStored, sentChunk } from './sent-chunk.ts'
import type { Uploads } from './uploads.service.ts'

interface Deps {
  readonly uploads: Uploads
  readonly attempts: Attempts
}

export function uploadRoutes(app: FastifyInstance, { uploads, attempts }: Deps): void {
  mount(app, files.warmUp, async ({ address }) => {
    const { allowed, retryAfterSeconds } = await attempts.allow(`warm-ups:${address}`, rateLimits.warmUpsPerAddress)
    if (!allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds })
    return undefined
  })

  mount(app, files.upload, async ({ caller, headers, body, gone }) => {
    const id = await uploads.receiveWhole({
      ownerId: caller.account.userId,
      session: null,
      sealedName: headers['x-file-name'],
      wrappedKey: headers['x-encrypted-file-key'],
      expirationMinutes: headers['x-file-expiration-minutes'],
      announcedBytes: headers['content-length'],
      bytes: body,
      gone,
    })
    return { id, fileId: id, message: 'Upload complete' }
  })

  mount(app, files.uploadChunk, async (request) => {
    const chunk = sentChunk(request)
    await uploads.receive({ ...chunk, ownerId: request.caller.account.userId, session: null })
    return chunkStored(chunk.index)
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
