import { loadCode } from '@sallyport/browser/load-code'
import type { Connection } from '@sallyport/client/call'
import type { FileKeys } from '@sallyport/crypto'
import { startDownload } from '../../engine/download/download.ts'
import type { DownloadSource } from '../../engine/download/source.ts'
import { isActive, type JobState, toJobState } from '../../engine/job.ts'
import { createJobList, type JobList } from '../../engine/job-list.ts'
import { guardUnload } from '../guard-unload.ts'
import { claimPartialFile, claimPrivateFile, type PrivateFile, removePrivateFiles } from './private-files.ts'
import { saveReceivedFile } from './save-received-file.ts'

interface DownloadInput {
  readonly source: DownloadSource
  /** The decrypted name; the file is saved under a sanitized form of it. */
  readonly name: string
  /** Plain bytes. */
  readonly size: number
}

export interface Downloads extends JobList {
  /** Starts a download at once and returns its id. A retry resumes from stored records, and after Cancel starts over. */
  start(input: DownloadInput): string
}

/** Manages the downloads of this page. They continue on every screen and end in the user's downloads. */
export function createDownloads(connection: Connection): Downloads {
  function run({ source, name, size }: DownloadInput, update: (state: JobState, sizeBytes?: number) => void) {
    let privateFile: PrivateFile | undefined
    const createWorker = async (keys: FileKeys) => {
      privateFile = (await claimPartialFile(keys)) ?? claimPrivateFile()
      // Loaded lazily: opening a link without downloading needs no worker.
      const { openDownloadWorker } = await loadCode(() => import('./save-download.ts'))
      return openDownloadWorker({ keys, source, name, privateFile })
    }
    const download = startDownload({ source, connection, createWorker })
    download.subscribe(() => {
      const state = download.current()
      // Done is shown only once the file is in the downloads.
      // Its size is that of its verified header from here on, and not that of the server's list.
      if (state.status !== 'done') update(toJobState(state), 'totalBytes' in state ? state.totalBytes : undefined)
    })
    void download.finished.then(async (outcome) => {
      if (!privateFile) return
      // The worker has left resumable records in the private file.
      if (outcome.status === 'failed' && privateFile.isPartial) return privateFile.release()
      if (outcome.status !== 'done') return privateFile.remove()
      const { saved } = outcome
      const error =
        'isServed' in saved ? await privateFile.remove() : await saveReceivedFile({ saved, privateFile, name, size })
      update(error ? { status: 'failed', error } : { status: 'done' })
    })
    return download
  }

  const list = createJobList<DownloadInput>({ kind: 'download', run })
  void removePrivateFiles()
  guardUnload(list, (jobs) => jobs.some(isActive))
  return list
}
