import { sessionFiles as contract } from '@sallyport/contract/session-files'
import type { FastifyInstance } from 'fastify'
import { answerSealedFile } from '../blobs/sealed-answer.ts'
import type { Volumes } from '../blobs/volumes.ts'
import { mount } from '../http/mount.ts'
import type { ListSlots } from '../limits/list-slots.ts'
import { callerKey } from '../resources/address-blocks.ts'
import { refuseKeysInQuery } from '../uploads/key-in-request.ts'
import { asSessionFile } from '../uploads/listed-file.ts'
import { chunkStored, sentChunk } from '../uploads/sent-chunk.ts'
import type { Entrance } from './entrance.ts'
import type { SessionFiles } from './session-files.service.ts'
import type { Sessions } from './sessions.service.ts'
import { shownBy } from './shown.ts'

interface Deps {
  readonly files: SessionFiles
  readonly sessions: Sessions
  readonly entrance: Entrance
  readonly volumes: Volumes
  readonly listSlots: ListSlots
  /** Refuse keys in requests; a server that is not strict leaves them unread. */
  readonly strict: boolean
}

export function sessionFileRoutes(app: FastifyInstance, deps: Deps): void {
  const { files, sessions, entrance, volumes, listSlots, strict } = deps

  mount(app, contract.list, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    const key = `session files|${visit.session.id}|${visit.participant.id}`
    const slot = {
      key,
      caller: callerKey(request.address, visit.participant.userId ?? undefined),
      closed: request.closed,
    }
    const listed = await listSlots.run(
      slot,
      () => files.list(visit),
      (rows) => rows,
    )
    return { files: listed }
  })

  mount(app, contract.get, async (request) => {
    const { visit, file } = await files.find(request.params.fileId, shownBy(request))
    return { file: asSessionFile(file, visit.session.id), session: await sessions.describe(visit) }
  })

  mount(
    app,
    contract.download,
    async (request) => {
      const { file } = await files.find(request.params.fileId, shownBy(request))
      const { range } = request.headers
      const answer = await answerSealedFile(file, { volumes, range, gone: request.gone, onServed: () => undefined })
      return { ...answer, headers: { ...answer.headers, 'X-Encryption-Key': file.wrappedKey } }
    },
    { refuseAddress: strict ? refuseKeysInQuery : undefined },
  )

  mount(app, contract.remove, async (request) => {
    const { file } = await files.find(request.params.fileId, shownBy(request))
    await files.remove(file)
    return {}
  })

  mount(app, contract.uploadChunk, async (request) => {
    // The body is a stream of bytes, so what is shown stands in the headers.
    const visit = await entrance.enter(request.params.id, shownBy({ ...request, body: undefined }))
    const chunk = sentChunk(request)
    await files.receive(visit, chunk)
    return chunkStored(chunk.index)
  })

  mount(app, contract.completeUpload, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    const { uploadId, session_pin: _, sessionPin: __, ...summary } = request.body
    return { fileId: await files.complete(visit, uploadId, summary), message: 'Upload complete' }
  })

  mount(app, contract.openUpload, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return files.findOpen(visit, request.params.uploadId)
  })

  mount(app, contract.cancelUpload, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    await files.cancel(visit, request.params.uploadId)
    return {}
  })
}
