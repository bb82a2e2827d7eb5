import type { SessionFile } from '@sallyport/contract/session-shapes'
import type { OpenUpload } from '@sallyport/contract/upload-shapes'
import type { ServerContext } from '../../../context.ts'
import { ApiError, apiError } from '../../../errors.ts'
import { toSessionFile } from '../../files/uploads/listed-file.ts'
import type { IncomingChunk } from '../../files/uploads/upload-deps.ts'
import type { UploadService } from '../../files/uploads/uploads.service.ts'
import {
  type SessionAccess,
  type SessionCaller,
  type SessionCredentials,
  sessionNotFound,
} from '../admission/session-access.ts'
import type { SessionStores } from '../session-stores.store.ts'
import type { SessionFileRecord } from './session-files.store.ts'

interface SessionFileServiceDeps
  extends Pick<SessionStores, 'sessions'>,
    Pick<ServerContext, 'volumes' | 'publishToSession' | 'now'> {
  readonly store: SessionStores['files']
  readonly sessionAccess: SessionAccess
  readonly uploads: UploadService
}

type SessionChunk = Omit<IncomingChunk, 'ownerId' | 'session'>
type UploadSummary = Parameters<UploadService['complete']>[2]

/** Upload ids chosen by clients are unique within their session. */
const uploadKeyOf = ({ session }: SessionCaller, uploadKey: string): string => `${session.id}/${uploadKey}`

/** The files of sessions: stored like those of an account, and accessible to participants. */
export function createSessionFileService(deps: SessionFileServiceDeps) {
  const { store, sessions, sessionAccess, uploads, volumes, publishToSession, now } = deps

  /** Maps a missing upload to a missing session when the session has ended in the meantime. */
  async function mapEndedSession<Result>({ session }: SessionCaller, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const isMissing = error instanceof ApiError && error.code === 'UPLOAD_NOT_FOUND'
      if (isMissing && !(await sessions.find(session.id, now()))) throw sessionNotFound()
      throw error
    }
  }

  return {
    async list({ session }: SessionCaller): Promise<SessionFile[]> {
      return (await store.list(session.id, now())).map((file) => toSessionFile(file, session.id))
    },

    /** Finds a file for a participant of its session. Credentials for another session get the not-found error. */
    async find(
      id: string,
      credentials: SessionCredentials,
    ): Promise<{ caller: SessionCaller; file: SessionFileRecord }> {
      const file = await store.find(id, now())
      const isBearerOnly = credentials.token === undefined && credentials.pin === undefined
      const caller = await sessionAccess.authorize(isBearerOnly ? (file?.sessionId ?? null) : null, credentials)
      if (!file || file.sessionId !== caller.session.id) throw apiError('FILE_NOT_FOUND')
      return { caller, file }
    },

    async remove({ id, sessionId }: SessionFileRecord): Promise<void> {
      const removed = await store.remove(sessionId, id)
      if (!removed) throw apiError('FILE_NOT_FOUND')
      publishToSession(sessionId, { type: 'session.file.deleted', id })
      await volumes.remove(removed.volume, removed.id)
    },

    receive: (caller: SessionCaller, chunk: SessionChunk): Promise<void> =>
      mapEndedSession(caller, () =>
        uploads.receive({
          ...chunk,
          ownerId: caller.session.creatorId,
          session: { id: caller.session.id, expirationMinutes: caller.session.expirationMinutes },
          uploadKey: uploadKeyOf(caller, chunk.uploadKey),
        }),
      ),

    complete: (caller: SessionCaller, uploadKey: string, summary: UploadSummary): Promise<string> =>
      mapEndedSession(caller, () =>
        uploads.complete(caller.session.creatorId, uploadKeyOf(caller, uploadKey), summary),
      ),

    async findOpen(caller: SessionCaller, uploadKey: string): Promise<OpenUpload> {
      const found = await mapEndedSession(caller, () =>
        uploads.findOpen(caller.session.creatorId, uploadKeyOf(caller, uploadKey)),
      )
      return { ...found, uploadId: uploadKey }
    },

    cancel: (caller: SessionCaller, uploadKey: string): Promise<void> =>
      mapEndedSession(caller, () => uploads.cancel(caller.session.creatorId, uploadKeyOf(caller, uploadKey))),
  }
}
