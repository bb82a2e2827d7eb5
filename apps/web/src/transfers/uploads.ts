import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import type { UploadPlace } from '@sallyport/client/upload/place'
import { startUpload } from '@sallyport/client/upload/upload'
import { byRequestsOnly, createWayKeeper } from '@sallyport/client/upload/way'
import { createUploadQueue, type UploadQueue } from '@sallyport/client/upload-queue'
import { transferLimits } from '@sallyport/contract/limits'
import type { Root } from '@sallyport/crypto'
import { openWorkerLane } from './browser-lanes.ts'
import { guardUnload } from './guard-unload.ts'

interface Parts {
  readonly connection: Connection
  /** Of the account, or of the session that they go to. Rejects with what the person is to read where there is none. */
  readonly accountKey: () => Promise<Root>
  /** Where they go; without it, into the account. */
  readonly place?: UploadPlace
}

/** The uploads of this page. They go on whatever screen is shown, and finished ones leave the list by themselves. */
export function createUploads({ connection, accountKey, place }: Parts): UploadQueue {
  const { clock = systemClock } = connection
  const ways = createWayKeeper()
  const uploads = createUploadQueue({
    clock,
    begin: (file, { expirationMinutes }) =>
      startUpload({
        file,
        accountKey: accountKey(),
        place,
        expirationMinutes,
        connection,
        openLane: openWorkerLane,
        ways: place ? byRequestsOnly : ways,
      }),
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
