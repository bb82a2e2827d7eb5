import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import type { FileSource } from '@sallyport/client/upload/file-source'
import type { Line } from '@sallyport/client/upload/line'
import type { UploadPlace } from '@sallyport/client/upload/place'
import { startUpload } from '@sallyport/client/upload/upload'
import { createUploadQueue, type UploadQueue } from '@sallyport/client/upload/upload-queue'
import { byRequestsOnly, createWayKeeper } from '@sallyport/client/upload/way'
import { transferLimits } from '@sallyport/contract/limits'
import type { Root } from '@sallyport/crypto'
import { handleOf } from '#/ui/file-handles.ts'
import { openWorkerLane } from './browser-lanes.ts'
import { guardUnload } from './guard-unload.ts'
import { keepAwake } from './keep-awake.ts'
import type { KeptUploads } from './kept-uploads.ts'

interface Parts {
  readonly connection: Connection
  /** Of the account, or of the session that they go to. Rejects with what the person is to read where there is none. */
  readonly accountKey: () => Promise<Root>
  /** Where they go; without it, into the account. */
  readonly place?: UploadPlace
  /** Whether anything can be sent; always, without it. */
  readonly line?: Line
  /** For those that can be gone on with at a later visit. */
  readonly keeping?: Keeping
}

interface Keeping {
  readonly kept: KeptUploads
  /** Told when one that could be gone on with has left the list. */
  readonly onLeft: () => void
}

/** The uploads of this page. They go on whatever screen is shown, and finished ones leave the list by themselves. */
export function createUploads({ connection, accountKey, place, line, keeping }: Parts): UploadQueue {
  const { clock = systemClock } = connection
  const ways = createWayKeeper()
  const uploads = createUploadQueue({
    clock,
    begin: (wanted) =>
      startUpload({
        ...wanted,
        accountKey: accountKey(),
        place,
        connection,
        line,
        openLane: openWorkerLane,
        lookAgain: () => lookAgain(wanted.file),
        openJournal: keeping?.kept.begin(handleOfSource(wanted.file)),
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
  guardUnload(uploads, isAnyUnderWay)
  keepAwake(uploads, isAnyUnderWay)
  return {
    ...uploads,
    dismiss(id) {
      const { resumableId = null } = uploads.current().find((item) => item.id === id) ?? {}
      uploads.dismiss(id)
      const isGone = !uploads.current().some((item) => item.id === id)
      if (resumableId !== null && isGone) void keeping?.kept.release(resumableId).then(keeping.onLeft)
    },
  }
}

const handleOfSource = (file: FileSource) => (file instanceof File ? handleOf(file) : Promise.resolve(null))

/** A file that came by a handle is a picture of the moment it was taken. One that is gone counts as changed. */
async function lookAgain(file: FileSource): Promise<Pick<FileSource, 'size' | 'lastModified'>> {
  const handle = await handleOfSource(file)
  try {
    return handle ? await handle.getFile() : file
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return { size: 0, lastModified: 0 }
    return file
  }
}

const isAnyUnderWay = (items: ReturnType<UploadQueue['current']>): boolean =>
  items.some(({ state }) => state.status === 'sending' || state.status === 'waiting')
