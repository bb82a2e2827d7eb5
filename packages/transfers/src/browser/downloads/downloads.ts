import { loadCode } from '@sallyport/browser/load-code'
import type { Connection } from '@sallyport/client/call'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import type { FileKeys } from '@sallyport/crypto'
import { type Download, startDownload } from '../../engine/download/download.ts'
import type { DownloadState } from '../../engine/download/download-state.ts'
import type { DownloadSource } from '../../engine/download/source.ts'
import { guardUnload } from '../guard-unload.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { claimPartialFile, claimPrivateFile, type PrivateFile, removePrivateFiles } from './private-files.ts'
import { saveReceivedFile } from './save-received-file.ts'
import type { ServedFile } from './served-download.ts'

interface DownloadInput {
  readonly source: DownloadSource
  /** The decrypted name; the file is saved under a sanitized form of it. */
  readonly name: string
  /** Plain bytes. */
  readonly size: number
}

export interface ListedDownload {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly source: DownloadSource
  readonly state: DownloadState<SavedFile | ServedFile>
}

export interface Downloads extends Observable<readonly ListedDownload[]> {
  /** Starts a download at once and returns its id. */
  start(input: DownloadInput): string
  cancel(id: string): void
  /** Resumes a failed one from its stored records, and restarts a cancelled one from the beginning. */
  retry(id: string): void
  /** Removes an ended one from the list. */
  dismiss(id: string): void
}

const waitingState: DownloadState<never> = { status: 'waiting' }
const isActive = ({ state }: ListedDownload): boolean =>
  state.status === 'waiting' || state.status === 'receiving' || state.status === 'decrypting'

/** Manages the downloads of this page. They continue on every screen and end in the user's downloads. */
export function createDownloads(connection: Connection): Downloads {
  const items = createSubject<readonly ListedDownload[]>([])
  const running = new Map<string, Download<SavedFile | ServedFile>>()
  let lastNumber = 0

  const setState = (id: string, state: ListedDownload['state']) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, state } : item)))

  function run({ id, source, name, size }: ListedDownload): void {
    let privateFile: PrivateFile | undefined
    const createWorker = async (keys: FileKeys) => {
      privateFile = (await claimPartialFile(keys)) ?? claimPrivateFile()
      // Loaded lazily: opening a link without downloading needs no worker.
      if (keys.header.plainBytes > largeDownloadBytes) {
        const { openLargeFileWorker } = await loadCode(() => import('./large-file-worker.ts'))
        return openLargeFileWorker({ keys, source, name, privateFile })
      }
      const { openDecryptWorker } = await loadCode(() => import('./crypto-workers.ts'))
      return openDecryptWorker(keys, privateFile)
    }
    const download = startDownload({ source, connection, createWorker })
    running.set(id, download)
    download.subscribe(() => {
      const state = download.current()
      // Done is shown only once the file is in the downloads.
      if (state.status !== 'done') setState(id, state)
    })
    void download.finished.then(async (outcome) => {
      running.delete(id)
      if (!privateFile) return
      // The worker has left resumable records in the private file.
      if (outcome.status === 'failed' && privateFile.isPartial) return privateFile.release()
      if (outcome.status !== 'done') return privateFile.remove()
      const { saved } = outcome
      const error =
        'isServed' in saved ? await privateFile.remove() : await saveReceivedFile({ saved, privateFile, name, size })
      setState(id, error ? { status: 'failed', error } : outcome)
    })
  }

  void removePrivateFiles()
  guardUnload(items, (list) => list.some(isActive))
  return {
    current: items.current,
    subscribe: items.subscribe,
    start(input) {
      lastNumber += 1
      const item = { id: String(lastNumber), ...input, state: waitingState }
      items.set([...items.current(), item])
      run(item)
      return item.id
    },
    cancel: (id) => running.get(id)?.cancel(),
    retry(id) {
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      setState(id, waitingState)
      run(item)
    },
    dismiss(id) {
      items.set(items.current().filter((item) => item.id !== id || isActive(item)))
    },
  }
}
