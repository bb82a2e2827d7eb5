import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { startUpload } from '@sallyport/client/upload/upload'
import { createWayKeeper } from '@sallyport/client/upload/way'
import { createUploadQueue, type UploadQueue } from '@sallyport/client/upload-queue'
import { transferLimits } from '@sallyport/contract/limits'
import type { Root } from '@sallyport/crypto'
import { openWorkerLane } from './browser-lanes.ts'
import { guardUnload } from './guard-unload.ts'

interface Parts {
  readonly connection: Connection
  /** Rejects with what the person is to read when there is no account key at hand. */
  readonly accountKey: () => Promise<Root>
}

/** The uploads of this page. They go on whatever screen is shown, and finished ones leave the list by themselves. */
export function createUploads({ connection, accountKey }: Parts): UploadQueue {
  const { clock = systemClock } = connection
  const ways = createWayKeeper()
  const uploads = createUploadQueue({
    clock,
    begin: (file, { expirationMinutes }) =>
      startUpload({ file, accountKey: accountKey(), expirationMinutes, connection, openLane: openWorkerLane, ways }),
  })

  const leaving = new Set<string>()
  uploads.subscribe(() => {
    for (const { id, state } of uploads.current()) {
      const shownFor = state.status === 'done' ? transferLimits.uploadCardClearsAfterMs : transferLimits.cancelMessageMs
      const leaves = state.status === 'done' || state.status === 'cancelled'
      if (!leaves || leaving.has(id)) continue
      leaving.add(id)
      void clock.wait(shownFor).then(() => {
        leaving.delete(id)
        uploads.dismiss(id)
      })
    }
  })
  guardUnload(uploads, (items) => items.some(({ state }) => state.status === 'sending' || state.status === 'waiting'))
  return uploads
}
