import type { Call, Connection } from '@sallyport/client/call'
import { findFileRootKey, type SessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { type BrowserTransfers, createBrowserTransfers } from '@sallyport/transfers/browser/browser-transfers'
import { createPersistedUploads } from '@sallyport/transfers/browser/uploads/persisted-uploads'
import { isActive } from '@sallyport/transfers/engine/job'
import { cancelAll } from '@sallyport/transfers/engine/job-lists'

export interface SessionTransfers extends Pick<BrowserTransfers, 'uploads' | 'interrupted' | 'downloads' | 'watch'> {
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

const ownerOf = (sessionId: string): string => `session:${sessionId}`

/** The uploads and downloads of a session participant. */
export function createSessionTransfers({
  sessionId: id,
  participantToken,
  keys,
  call,
  connection,
}: SessionTransfersDeps): SessionTransfers {
  const { persistedUploads, ...transfers } = createBrowserTransfers({
    connection,
    call,
    owner: ownerOf(id),
    rootKey: async () => keys.current().root,
    findRootKey: (envelope) => findFileRootKey(keys, envelope),
    destination: { kind: 'session', id, participantToken },
  })
  return {
    ...transfers,
    end() {
      const active = transfers.uploads.current().filter(isActive)
      cancelAll(transfers.uploads)
      void persistedUploads.removeAll().finally(persistedUploads.close)
      return active.length
    },
  }
}

/** Removes the persisted uploads of a session that has ended. */
export async function removePersistedUploadsOf(sessionId: string): Promise<void> {
  const persistedUploads = createPersistedUploads(ownerOf(sessionId))
  await persistedUploads.removeAll()
  persistedUploads.close()
}
