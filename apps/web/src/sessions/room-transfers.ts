import type { Call, Connection } from '@sallyport/client/call'
import { rootOfFile, type SessionKeys } from '@sallyport/client/sessions/follow-session-keys'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { createDownloads, type Downloads } from '#/transfers/downloads.ts'
import { createKeptUploads, type KeptUploads } from '#/transfers/kept-uploads.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from '#/transfers/unfinished-uploads.ts'
import { createUploads } from '#/transfers/uploads.ts'
import { clearFinished, retryWhenOnline, stopAll, whenUploaded } from '#/transfers/watch-transfers.ts'

export interface RoomTransfers {
  readonly uploads: UploadQueue
  readonly unfinished: UnfinishedUploads
  readonly downloads: Downloads
  /** Begins what goes on beside the transfers; ends it when the returned function is called. */
  readonly watch: (onUploaded: () => void) => () => void
  /** Breaks off what is on its way in and forgets what could be gone on with; tells how many files were cut off. */
  readonly end: () => number
}

interface Parts {
  readonly sessionId: string
  readonly participantToken: string
  readonly keys: SessionKeys
  readonly call: Call
  readonly connection: Connection
}

/** The uploads and downloads of somebody in a session. */
export function createRoomTransfers({ sessionId: id, participantToken, keys, call, connection }: Parts): RoomTransfers {
  const kept = keptUploadsOf(id)
  const findRoot = (envelope: string) => rootOfFile(keys, envelope)
  const place = { kind: 'session', id, participantToken } as const
  const uploads = createUploads({
    connection,
    accountKey: async () => keys.current().root,
    findRoot,
    place,
    keeping: { kept, onLeft: () => void unfinished.refresh() },
  })
  const unfinished: UnfinishedUploads = createUnfinishedUploads({ call, findRoot, place, kept, uploads })
  const downloads = createDownloads(connection)

  return {
    uploads,
    unfinished,
    downloads,
    watch(onUploaded) {
      const stops = [
        whenUploaded(uploads, onUploaded),
        clearFinished(downloads),
        retryWhenOnline([uploads, downloads]),
        () => stopAll(downloads),
      ]
      void unfinished.refresh()
      return () => {
        for (const stop of stops) stop()
      }
    },
    end() {
      const cut = uploads.current().filter(({ state }) => state.status === 'sending' || state.status === 'waiting')
      for (const { id: uploadId } of uploads.current()) uploads.cancel(uploadId)
      void kept.forget().finally(kept.close)
      return cut.length
    },
  }
}

/** Forgets what could be gone on with in a session that is over. */
export async function forgetUploadsOf(sessionId: string): Promise<void> {
  const kept = keptUploadsOf(sessionId)
  await kept.forget()
  kept.close()
}

const keptUploadsOf = (sessionId: string): KeptUploads => createKeptUploads(`session:${sessionId}`)
