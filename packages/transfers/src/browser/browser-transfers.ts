import type { Call, Connection } from '@sallyport/client/call'
import { alwaysOnline } from '@sallyport/client/connectivity'
import type { RootKey } from '@sallyport/crypto'
import type { FindRootKey } from '../engine/file-name.ts'
import type { JobList } from '../engine/job-list.ts'
import { listUploadJobs } from '../engine/job-lists.ts'
import type { UploadDestination } from '../engine/upload/destination.ts'
import type { PersistedUpload } from '../engine/upload/journal.ts'
import type { UploadQueue } from '../engine/upload/upload-queue.ts'
import { createDownloads, type Downloads } from './downloads/downloads.ts'
import { createInterruptedUploads, type InterruptedUploads } from './uploads/interrupted-uploads.ts'
import { createPersistedUploads, type PersistedUploads } from './uploads/persisted-uploads.ts'
import { createUploads } from './uploads/uploads.ts'
import { observeUploads, retryWhenOnline, type UploadObserver, watchJobs } from './watch-transfers.ts'

/** The transfers of this page to and from one account or session. */
export interface BrowserTransfers {
  readonly queue: UploadQueue
  /** The queue as jobs. */
  readonly uploads: JobList
  /** Uploads of earlier visits. */
  readonly interrupted: InterruptedUploads
  readonly persistedUploads: PersistedUploads
  readonly downloads: Downloads
  /** Starts updating the transfers; the returned function stops it and cancels the downloads. */
  readonly watch: (observer: UploadObserver) => () => void
}

interface BrowserTransfersDeps {
  readonly connection: Connection
  readonly call: Call
  /** Whose uploads are persisted. */
  readonly owner: string
  /** The root key of new uploads. Rejects with a user-facing error where there is none. */
  readonly rootKey: () => Promise<RootKey>
  /** The root key under which a resumed upload began. */
  readonly findRootKey: FindRootKey
  /** The account by default. */
  readonly destination?: UploadDestination
  /** Called with each upload that is persisted before it starts, and the name that it encrypts. */
  readonly onPrepared?: (upload: PersistedUpload, name: string) => void
}

export function createBrowserTransfers({ call, owner, ...deps }: BrowserTransfersDeps): BrowserTransfers {
  const { connection } = deps
  const { connectivity = alwaysOnline } = connection
  const persistedUploads = createPersistedUploads(owner)
  const persistence = { persistedUploads, onReleased: () => void interrupted.refresh() }
  const queue = createUploads({ ...deps, persistence })
  const interrupted: InterruptedUploads = createInterruptedUploads({ ...deps, call, persistedUploads, uploads: queue })
  const uploads = listUploadJobs(queue)
  const downloads = createDownloads(connection)
  return {
    queue,
    uploads,
    interrupted,
    persistedUploads,
    downloads,
    watch(observer) {
      const stops = [
        observeUploads(queue, observer),
        retryWhenOnline(uploads, connectivity),
        watchJobs(downloads, connectivity),
      ]
      void interrupted.refresh()
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
