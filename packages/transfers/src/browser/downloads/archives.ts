import type { Connection } from '@sallyport/client/call'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { sealedArchive } from '@sallyport/contract/files'
import type { RootKey } from '@sallyport/crypto'
import { type ArchiveDownload, startArchiveDownload } from '../../engine/archive/archive-download.ts'
import type { ArchiveState } from '../../engine/archive/archive-state.ts'
import { guardUnload } from '../guard-unload.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { openArchiveWorker } from './crypto-workers.ts'
import { claimPrivateFile } from './private-files.ts'
import { saveReceivedFile } from './save-received-file.ts'

export interface ListedArchive {
  readonly id: string
  readonly name: string
  readonly state: ArchiveState<SavedFile>
}

/** At most one download: all files of the account as one archive. */
export interface Archives extends Observable<readonly ListedArchive[]> {
  /** Starts unless one is already running. */
  start(): void
  cancel(id: string): void
  /** Restarts a failed or cancelled one from the beginning. */
  retry(id: string): void
  /** Removes an ended one from the list. */
  dismiss(id: string): void
  /** Retries the file that failed. */
  retryFile(): void
  /** Continues without the file that failed. */
  skipFile(): void
}

const isActive = ({ state }: ListedArchive): boolean =>
  state.status !== 'done' && state.status !== 'failed' && state.status !== 'cancelled'

/** Manages the download of all files as one archive. It continues on every screen and ends in the user's downloads. */
export function createArchives(connection: Connection, accountKey: RootKey): Archives {
  const items = createSubject<readonly ListedArchive[]>([])
  let running: ArchiveDownload<SavedFile> | null = null
  let lastNumber = 0

  function startDownload(): void {
    lastNumber += 1
    const id = `all-${lastNumber}`
    const privateFile = claimPrivateFile()
    const download = startArchiveDownload({
      connection,
      accountKey,
      createWorker: () => openArchiveWorker(privateFile.name),
    })
    running = download
    // The name isn't taken from the server, which could otherwise choose the file type.
    const name = sealedArchive.fileName
    const show = (state: ArchiveState<SavedFile>) => items.set([{ id, name, state }])
    show(download.current())
    download.subscribe(() => {
      const state = download.current()
      // Done is shown only once the archive is in the downloads.
      if (state.status !== 'done') show(state)
    })
    void download.finished.then(async (outcome) => {
      if (running === download) running = null
      if (outcome.status !== 'done') return privateFile.remove()
      const { saved } = outcome
      const size = 'blob' in saved ? saved.blob.size : (await privateFile.read()).size
      const error = await saveReceivedFile({ saved, privateFile, name, size })
      show(error ? { status: 'failed', error } : outcome)
    })
  }

  function start(): void {
    if (!items.current().some(isActive)) startDownload()
  }

  guardUnload(items, (list) => list.some(isActive))
  return {
    current: items.current,
    subscribe: items.subscribe,
    start,
    retry: start,
    cancel: () => running?.cancel(),
    dismiss: () => items.set(items.current().filter(isActive)),
    retryFile: () => running?.retry(),
    skipFile: () => running?.skip(),
  }
}
