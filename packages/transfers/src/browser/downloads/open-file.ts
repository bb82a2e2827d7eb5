import type { Connection } from '@sallyport/client/call'
import type { Observable } from '@sallyport/client/observable'
import type { FileKeys } from '@sallyport/crypto'
import { startDownload } from '../../engine/download/download.ts'
import type { DownloadState } from '../../engine/download/download-state.ts'
import type { DownloadSource } from '../../engine/download/source.ts'
import type { SavedFile } from '../workers/tasks.ts'
import { openDecryptWorker } from './crypto-workers.ts'
import { claimPrivateFile } from './private-files.ts'

/** A file that is decrypted for this page itself: to be previewed or shared with another app on this device. */
export interface OpenFile {
  readonly state: Observable<DownloadState<SavedFile>>
  /** The whole file. Rejects with the download's error, or with an `AbortError` when it was released before. */
  readonly blob: Promise<Blob>
  /** Cancels the download and removes written bytes: at once, or with a delay if the browser is copying them. */
  release(options?: { readonly isCopied: boolean }): void
}

export function openFile(source: DownloadSource, connection: Connection): OpenFile {
  const privateFile = claimPrivateFile()
  const createWorker = (keys: FileKeys) => openDecryptWorker(keys, privateFile)
  const download = startDownload({ source, connection, createWorker })

  async function read(): Promise<Blob> {
    const outcome = await download.finished
    if (outcome.status === 'failed') throw outcome.error
    if (outcome.status === 'cancelled') throw new DOMException('The file was released', 'AbortError')
    if ('blob' in outcome.saved) return outcome.saved.blob
    privateFile.removeWithPage()
    return privateFile.read()
  }

  const blob = read()
  // A caller that releases the file early does not wait for it.
  blob.catch(() => undefined)
  return {
    state: download,
    blob,
    release({ isCopied } = { isCopied: false }) {
      download.cancel()
      void blob.then(
        ({ size }) => (isCopied ? privateFile.removeAfterCopying(size) : privateFile.remove()),
        () => privateFile.remove(),
      )
    },
  }
}
