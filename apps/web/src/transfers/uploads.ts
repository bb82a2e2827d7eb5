import type { Connection } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import type { FileSource } from '@sallyport/client/upload/file-source'
import type { Line } from '@sallyport/client/upload/line'
import type { UploadPlace } from '@sallyport/client/upload/place'
import { prepareUpload } from '@sallyport/client/upload/prepare-upload'
import { startUpload } from '@sallyport/client/upload/upload'
import { createUploadQueue, type UploadQueue, type WantedUpload } from '@sallyport/client/upload/upload-queue'
import { byRequestsOnly, createWayKeeper } from '@sallyport/client/upload/way'
import { smallFileBytes, transferLimits } from '@sallyport/contract/limits'
import type { Root } from '@sallyport/crypto'
import type { FindRoot } from '#/file-views/name-book.ts'
import { followWay, wayTo } from '#/ui/file-handles.ts'
import { openWorkerLane } from './browser-lanes.ts'
import { guardUnload } from './guard-unload.ts'
import { keepAwake } from './keep-awake.ts'
import type { KeptUploads } from './kept-uploads.ts'

interface Parts {
  readonly connection: Connection
  /** Of the account, or of the session that they go to. Rejects with what the person is to read where there is none. */
  readonly accountKey: () => Promise<Root>
  /** For an upload that goes on under the key it began with; `accountKey` without it. */
  readonly findRoot?: FindRoot
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
export function createUploads({
  connection,
  accountKey,
  findRoot = accountKey,
  place,
  line,
  keeping,
}: Parts): UploadQueue {
  const { clock = systemClock } = connection
  const ways = createWayKeeper()

  async function noteAhead(kept: KeptUploads, wanted: readonly WantedUpload[]) {
    const root = await accountKey()
    const made = await Promise.all(
      wanted.map(async ({ file, expirationMinutes }) => ({
        upload: await prepareUpload({ place, file, accountKey: root, expirationMinutes }),
        file,
      })),
    )
    return kept.note(made)
  }

  const noteOne = async (kept: KeptUploads, wanted: WantedUpload) => (await noteAhead(kept, [wanted]))[0] ?? null

  const uploads = createUploadQueue({
    clock,
    noteAhead: keeping && ((wanted) => noteAhead(keeping.kept, wanted)),
    begin: (wanted) =>
      startUpload({
        ...wanted,
        accountKey: wanted.resumption ? findRoot(wanted.resumption.kept.envelope) : accountKey(),
        place,
        connection,
        line,
        openLane: openWorkerLane,
        lookAgain: () => lookAgain(wanted.file),
        // One that begins at once was not noted while it waited.
        noted: wanted.noted ?? (keeping && !wanted.resumption ? noteOne(keeping.kept, wanted) : undefined),
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
      const { resumableId = null, size = 0 } = uploads.current().find((item) => item.id === id) ?? {}
      uploads.dismiss(id)
      const isGone = !uploads.current().some((item) => item.id === id)
      if (resumableId === null || !isGone || !keeping) return
      // Of a small file nothing has arrived: whoever does not want it tried again does not want it.
      if (!place && size < smallFileBytes) void keeping.kept.remove([resumableId])
      else void keeping.kept.release(resumableId).then(keeping.onLeft)
    },
  }
}

/** A file that came by a handle is a picture of the moment it was taken. One that is gone counts as changed. */
async function lookAgain(file: FileSource): Promise<Pick<FileSource, 'size' | 'lastModified'>> {
  const way = file instanceof File ? await wayTo(file) : null
  try {
    return way ? await followWay(way) : file
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return { size: 0, lastModified: 0 }
    return file
  }
}

const isAnyUnderWay = (items: ReturnType<UploadQueue['current']>): boolean =>
  items.some(({ state }) => state.status === 'sending' || state.status === 'waiting')
