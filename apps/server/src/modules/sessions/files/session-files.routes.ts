import { sessionFiles as contract } from '@sallyport/contract/session-files'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import { mount } from '../../../platform/http/mount.ts'
import { openSealedFileResponse } from '../../../platform/storage/sealed-response.ts'
import { rejectKeysInQuery } from '../../files/uploads/file-checks.ts'
import { toSessionFile } from '../../files/uploads/listed-file.ts'
import { chunkStoredReply, parseChunkRequest } from '../../files/uploads/uploads.routes.ts'
import { listSlotOf } from '../admission/session-access.ts'
import { credentialsOf } from '../credentials.ts'
import type { SessionServices } from '../session-services.ts'

type SessionFileRoutesDeps = Pick<SessionServices, 'files' | 'sessions' | 'sessionAccess'> &
  Pick<ServerContext, 'volumes' | 'endAfterExpiry' | 'listSlots' | 'strict'>

export function sessionFileRoutes(app: FastifyInstance, deps: SessionFileRoutesDeps): void {
  const { files, sessions, sessionAccess, volumes, endAfterExpiry, listSlots, strict } = deps

  mount(app, contract.list, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    const listed = await listSlots.run(
      listSlotOf('session files', request, caller),
      () => files.list(caller),
      (rows) => rows,
    )
    return { files: listed }
  })

  mount(app, contract.get, async (request) => {
    const { caller, file } = await files.find(request.params.fileId, credentialsOf(request))
    return { file: toSessionFile(file, caller.session.id), session: await sessions.describe(caller) }
  })

  mount(
    app,
    contract.download,
    async (request) => {
      const { caller, file } = await files.find(request.params.fileId, credentialsOf(request))
      const { range } = request.headers
      const answer = await openSealedFileResponse(file, {
        volumes,
        endAfterExpiry,
        range,
        caller: callerKey(request.address, caller.participant.userId ?? undefined),
        disconnectSignal: request.disconnectSignal,
        onServed: () => undefined,
      })
      return { ...answer, headers: { ...answer.headers, 'X-Encryption-Key': file.wrappedKey } }
    },
    { checkQuery: strict ? rejectKeysInQuery : undefined },
  )

  mount(app, contract.remove, async (request) => {
    const { file } = await files.find(request.params.fileId, credentialsOf(request))
    await files.remove(file)
    return {}
  })

  mount(app, contract.uploadChunk, async (request) => {
    // The body is a byte stream, so the credentials are in the headers.
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf({ ...request, body: undefined }))
    const chunk = parseChunkRequest(request)
    await files.receive(caller, chunk)
    return chunkStoredReply(chunk.index)
  })

  mount(app, contract.completeUpload, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    const { uploadId, session_pin: _, sessionPin: __, ...summary } = request.body
    return { fileId: await files.complete(caller, uploadId, summary), message: 'Upload complete' }
  })

  mount(app, contract.openUpload, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return files.findOpen(caller, request.params.uploadId)
  })

  mount(app, contract.cancelUpload, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    await files.cancel(caller, request.params.uploadId)
    return {}
  })
}
