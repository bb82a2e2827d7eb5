import type { Call, Connection } from '@sallyport/client/call'
import { alwaysOnline } from '@sallyport/client/connectivity'
import { findFileRootKey, type SessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { createDownloads, type Downloads } from '@sallyport/transfers/browser/downloads/downloads'
import {
  createInterruptedUploads,
  type InterruptedUploads,
} from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import { createPersistedUploads, type PersistedUploads } from '@sallyport/transfers/browser/uploads/persisted-uploads'
import { createUploads } from '@sallyport/transfers/browser/uploads/uploads'
import {
  clearFinished,
  observeUploads,
  retryWhenOnline,
  stopAll,
  type UploadObserver,
} from '@sallyport/transfers/browser/watch-transfers'
import type { UploadQueue } from '@sallyport/transfers/engine/upload/upload-queue'

export interface SessionTransfers {
  readonly uploads: UploadQueue
  /** Uploads that a reload has interrupted. */
  readonly interrupted: InterruptedUploads
  readonly downloads: Downloads
  /** Starts updating the transfers; the returned function stops it. */
  readonly watch: (observer: UploadObserver) => () => void
  /** Cancels running uploads and removes persisted ones. Returns the number of cancelled uploads. */
  readonly end: () => number
}

interface SessionTransfersDeps {
  readonly sessionId: string
  readonly participantToken: string
  readonly keys: SessionKeys
  readonly call: Call
  readonly connection: Connection
}

/** The uploads and downloads of a session participant. */
export function createSessionTransfers({
  sessionId: id,
  participantToken,
  keys,
  call,
  connection,
}: SessionTransfersDeps): SessionTransfers {
  const persistedUploads = persistedUploadsOf(id)
  const findRootKey = (envelope: string) => findFileRootKey(keys, envelope)
  const destination = { kind: 'session', id, participantToken } as const
  const uploads = createUploads({
    connection,
    rootKey: async () => keys.current().root,
    findRootKey,
    destination,
    persistence: { persistedUploads, onReleased: () => void interrupted.refresh() },
  })
  const interrupted: InterruptedUploads = createInterruptedUploads({
    call,
    findRootKey,
    destination,
    persistedUploads,
    uploads,
  })
  const downloads = createDownloads(connection)

  return {
    uploads,
    interrupted,
    downloads,
    watch(observer) {
      const stops = [
        observeUploads(uploads, observer),
        clearFinished(downloads),
        retryWhenOnline([uploads, downloads], connection.connectivity ?? alwaysOnline),
        () => stopAll(downloads),
      ]
      void interrupted.refresh()
      return () => {
        for (const stop of stops) stop()
      }
    },
    end() {
      const active = uploads.current().filter(({ state }) => state.status === 'sending' || state.status === 'waiting')
      for (const { id: uploadId } of uploads.current()) uploads.cancel(uploadId)
      void persistedUploads.removeAll().finally(persistedUploads.close)
      return active.length
    },
  }
}

/** Removes the persisted uploads of a session that has ended. */
export async function removePersistedUploadsOf(sessionId: string): Promise<void> {
  const persistedUploads = persistedUploadsOf(sessionId)
  await persistedUploads.removeAll()
  persistedUploads.close()
}

const persistedUploadsOf = (sessionId: string): PersistedUploads => createPersistedUploads(`session:${sessionId}`)
