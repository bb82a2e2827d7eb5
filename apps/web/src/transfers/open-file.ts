import type { Connection } from '@sallyport/client/call'
import { startDownload } from '@sallyport/client/download/download'
import type { DownloadState } from '@sallyport/client/download/download-state'
import type { DownloadSource } from '@sallyport/client/download/source'
import type { Observable } from '@sallyport/client/observable'
import type { FileKeys } from '@sallyport/crypto'
import type { SavedFile } from '#/workers/tasks.ts'
import { openReceivingLane } from './browser-lanes.ts'
import { claimPrivateFile } from './private-files.ts'

/** A file that is opened for this page itself: to be shown, or to be handed to another program on this device. */
export interface OpenFile {
  readonly state: Observable<DownloadState<SavedFile>>
  /** The whole file; rejects with what went wrong, and with an `AbortError` when it was released before. */
  readonly blob: Promise<Blob>
  /** Stops what is under way and removes what was written: at once, or in its time if the browser is copying from it. */
  release(options?: { readonly isCopied: boolean }): void
}

export function openFile(source: DownloadSource, connection: Connection): OpenFile {
  const place = claimPrivateFile()
  const openLane = (keys: FileKeys) => openReceivingLane(keys, place)
  const download = startDownload({ source, connection, openLane })

  async function read(): Promise<Blob> {
    const end = await download.finished
    if (end.status === 'failed') throw end.error
    if (end.status === 'cancelled') throw new DOMException('The file was not opened', 'AbortError')
    if ('blob' in end.saved) return end.saved.blob
    place.removeWithPage()
    return place.read()
  }

  const blob = read()
  // Whoever releases a file before it is there need not wait for it.
  blob.catch(() => undefined)
  return {
    state: download,
    blob,
    release({ isCopied } = { isCopied: false }) {
      download.cancel()
      void blob.then(
        ({ size }) => (isCopied ? place.removeAfterCopying(size) : place.remove()),
        () => place.remove(),
      )
    },
  }
}
