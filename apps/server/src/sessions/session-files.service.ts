import type { SessionFile } from '@sallyport/contract/session-shapes'
import type { OpenUpload } from '@sallyport/contract/upload-shapes'
import type { Volumes } from '../blobs/volumes.ts'
import { AppError, refuse } from '../errors.ts'
import type { AnnounceToSession } from '../live/announce.ts'
import { asSessionFile } from '../uploads/listed-file.ts'
import type { IncomingChunk } from '../uploads/upload-parts.ts'
import type { Uploads } from '../uploads/uploads.service.ts'
import { type Entrance, notFound, type Shown, type Visit } from './entrance.ts'
import type { SessionFileRecord, SessionFilesStore } from './session-files.store.ts'
import type { SessionsStore } from './sessions.store.ts'

interface Parts {
  readonly store: SessionFilesStore
  readonly sessions: SessionsStore
  readonly entrance: Entrance
  readonly uploads: Uploads
  readonly volumes: Volumes
  readonly announceToSession: AnnounceToSession
  readonly now: () => number
}

type SessionChunk = Omit<IncomingChunk, 'ownerId' | 'session'>
type UploadSummary = Parameters<Uploads['complete']>[2]

/** Ids that clients choose are unique within their session. */
const keyOf = ({ session }: Visit, uploadKey: string): string => `${session.id}/${uploadKey}`

/** The files of sessions: the same uploads, storage and bytes as those of an account, found by who may be inside. */
export function createSessionFiles(parts: Parts) {
  const { store, sessions, entrance, uploads, volumes, announceToSession, now } = parts

  /** What an upload finds missing because its session has ended in the meantime is told as that. */
  async function whileOpen<Result>({ session }: Visit, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === 'UPLOAD_NOT_FOUND'
      if (isMissing && !(await sessions.find(session.id, now()))) throw notFound()
      throw error
    }
  }

  return {
    async list({ session }: Visit): Promise<SessionFile[]> {
      return (await store.list(session.id, now())).map((file) => asSessionFile(file, session.id))
    },

    /** The file, for who may be in its session. Refuses whoever shows what leads to another, as if there were none. */
    async find(id: string, shown: Shown): Promise<{ visit: Visit; file: SessionFileRecord }> {
      const file = await store.find(id, now())
      const isBearerOnly = shown.token === undefined && shown.pin === undefined
      const visit = await entrance.enter(isBearerOnly ? (file?.sessionId ?? null) : null, shown)
      if (!file || file.sessionId !== visit.session.id) throw refuse('FILE_NOT_FOUND')
      return { visit, file }
    },

    async remove({ id, sessionId }: SessionFileRecord): Promise<void> {
      const removed = await store.remove(sessionId, id)
      if (!removed) throw refuse('FILE_NOT_FOUND')
      announceToSession(sessionId, { type: 'session.file.deleted', id })
      await volumes.remove(removed.volume, removed.id)
    },

    receive: (visit: Visit, chunk: SessionChunk): Promise<void> =>
      whileOpen(visit, () =>
        uploads.receive({
          ...chunk,
          ownerId: visit.session.creatorId,
          session: { id: visit.session.id, expirationMinutes: visit.session.expirationMinutes },
          uploadKey: keyOf(visit, chunk.uploadKey),
        }),
      ),

    complete: (visit: Visit, uploadKey: string, summary: UploadSummary): Promise<string> =>
      whileOpen(visit, () => uploads.complete(visit.session.creatorId, keyOf(visit, uploadKey), summary)),

    async findOpen(visit: Visit, uploadKey: string): Promise<OpenUpload> {
      const found = await whileOpen(visit, () => uploads.findOpen(visit.session.creatorId, keyOf(visit, uploadKey)))
      return { ...found, uploadId: uploadKey }
    },

    cancel: (visit: Visit, uploadKey: string): Promise<void> =>
      whileOpen(visit, () => uploads.cancel(visit.session.creatorId, keyOf(visit, uploadKey))),
  }
}

export type SessionFiles = ReturnType<typeof createSessionFiles>
