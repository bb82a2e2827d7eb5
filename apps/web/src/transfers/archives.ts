import { type ArchiveDownload, startArchiveDownload } from '@sallyport/client/archive/archive-download'
import type { ArchiveState } from '@sallyport/client/archive/archive-state'
import type { Connection } from '@sallyport/client/call'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { sealedArchive } from '@sallyport/contract/files'
import type { Root } from '@sallyport/crypto'
import type { SavedFile } from '#/workers/tasks.ts'
import { openArchiveWorker } from './archive-lane.ts'
import { guardUnload } from './guard-unload.ts'
import { handOverFile } from './hand-over-file.ts'
import { claimPrivateFile } from './private-files.ts'

export interface ListedArchive {
  readonly id: string
  readonly name: string
  readonly state: ArchiveState<SavedFile>
}

/** None or one: all files of the account as one archive. */
export interface Archives extends Observable<readonly ListedArchive[]> {
  /** Starts unless one is under way. */
  start(): void
  cancel(id: string): void
  /** Starts a failed or cancelled one from its beginning. */
  retry(id: string): void
  /** Takes one that has ended out of the list. */
  dismiss(id: string): void
  /** Where a file is stuck: tries it once more. */
  tryFileAgain(): void
  /** Where a file is stuck: goes on without it. */
  leaveFileOut(): void
}

const isUnderWay = ({ state }: ListedArchive): boolean =>
  state.status === 'waiting' || state.status === 'receiving' || state.status === 'stuck'

/** The download of all files goes on whatever screen is shown, and ends in the person's downloads. */
export function createArchives(connection: Connection, accountKey: Root): Archives {
  const items = createSubject<readonly ListedArchive[]>([])
  let running: ArchiveDownload<SavedFile> | null = null
  let lastNumber = 0

  function begin(): void {
    lastNumber += 1
    const id = `all-${lastNumber}`
    const place = claimPrivateFile()
    const download = startArchiveDownload({ connection, accountKey, openLane: () => openArchiveWorker(place.name) })
    running = download
    // Not as the server names it: it would choose what kind of file the person finds on their disk.
    const name = sealedArchive.fileName
    const show = (state: ArchiveState<SavedFile>) => items.set([{ id, name, state }])
    show(download.current())
    download.subscribe(() => {
      const state = download.current()
      // Shown as done only once the archive is handed over.
      if (state.status !== 'done') show(state)
    })
    void download.finished.then(async (end) => {
      if (running === download) running = null
      if (end.status !== 'done') return place.remove()
      const { saved } = end
      const size = 'blob' in saved ? saved.blob.size : (await place.read()).size
      const error = await handOverFile({ saved, place, name, size })
      show(error ? { status: 'failed', error } : end)
    })
  }

  function start(): void {
    if (!items.current().some(isUnderWay)) begin()
  }

  guardUnload(items, (list) => list.some(isUnderWay))
  return {
    current: items.current,
    subscribe: items.subscribe,
    start,
    retry: start,
    cancel: () => running?.cancel(),
    dismiss: () => items.set(items.current().filter(isUnderWay)),
    tryFileAgain: () => running?.tryAgain(),
    leaveFileOut: () => running?.leaveOut(),
  }
}
