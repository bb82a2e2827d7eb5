import type { Connection } from '@sallyport/client/call'
import { type Download, startDownload } from '@sallyport/client/download/download'
import type { DownloadState } from '@sallyport/client/download/download-state'
import type { DownloadSource } from '@sallyport/client/download/source'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import type { FileKeys } from '@sallyport/crypto'
import type { SavedFile } from '#/workers/tasks.ts'
import { guardUnload } from './guard-unload.ts'
import { handOverFile } from './hand-over-file.ts'
import { claimPartialFile, claimPrivateFile, clearPrivateFiles, type PrivateFile } from './private-files.ts'
import type { ServedFile } from './served-lane.ts'

interface WantedFile {
  readonly source: DownloadSource
  /** The opened name; it is saved under a harmless form of it. */
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
  /** Starts at once and gives the id it goes by. */
  start(wanted: WantedFile): string
  cancel(id: string): void
  /** Starts a failed one from where it was, as far as something of it is kept, and a cancelled one from its beginning. */
  retry(id: string): void
  /** Takes one that has ended out of the list. */
  dismiss(id: string): void
}

const waiting: DownloadState<never> = { status: 'waiting' }
const isUnderWay = ({ state }: ListedDownload): boolean => state.status === 'waiting' || state.status === 'receiving'

/** The downloads of this page. They go on whatever screen is shown, and end in the person's downloads. */
export function createDownloads(connection: Connection): Downloads {
  const items = createSubject<readonly ListedDownload[]>([])
  const running = new Map<string, Download<SavedFile | ServedFile>>()
  let lastNumber = 0

  const change = (id: string, state: ListedDownload['state']) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, state } : item)))

  function begin({ id, source, name, size }: ListedDownload): void {
    let place: PrivateFile | undefined
    const openLane = async (keys: FileKeys) => {
      place = (await claimPartialFile(keys)) ?? claimPrivateFile()
      // Who only looks at a link needs no lane.
      if (keys.header.plainBytes > largeDownloadBytes) {
        const { openLargeLane } = await import('./large-lane.ts')
        return openLargeLane({ keys, source, name, place })
      }
      const { openReceivingLane } = await import('./browser-lanes.ts')
      return openReceivingLane(keys, place)
    }
    const download = startDownload({ source, connection, openLane })
    running.set(id, download)
    download.subscribe(() => {
      const state = download.current()
      // Shown as done only once the file is handed over.
      if (state.status !== 'done') change(id, state)
    })
    void download.finished.then(async (end) => {
      running.delete(id)
      if (!place) return
      // What is worth going on with, the lane has left there.
      if (end.status === 'failed' && place.isPartial) return place.release()
      if (end.status !== 'done') return place.remove()
      const { saved } = end
      const error = 'isServed' in saved ? await place.remove() : await handOverFile({ saved, place, name, size })
      change(id, error ? { status: 'failed', error } : end)
    })
  }

  void clearPrivateFiles()
  guardUnload(items, (list) => list.some(isUnderWay))
  return {
    current: items.current,
    subscribe: items.subscribe,
    start(wanted) {
      lastNumber += 1
      const item = { id: String(lastNumber), ...wanted, state: waiting }
      items.set([...items.current(), item])
      begin(item)
      return item.id
    },
    cancel: (id) => running.get(id)?.cancel(),
    retry(id) {
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      change(id, waiting)
      begin(item)
    },
    dismiss(id) {
      items.set(items.current().filter((item) => item.id !== id || isUnderWay(item)))
    },
  }
}
