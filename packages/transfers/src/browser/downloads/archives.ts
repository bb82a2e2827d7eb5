import type { Connection } from '@sallyport/client/call'
import { sealedArchive } from '@sallyport/contract/files'
import type { RootKey } from '@sallyport/crypto'
import { startArchiveDownload } from '../../engine/archive/archive-download.ts'
import { isActive, type JobState } from '../../engine/job.ts'
import { createJobList, type JobList } from '../../engine/job-list.ts'
import { archiveJobState, removeAll } from '../../engine/job-lists.ts'
import { guardUnload } from '../guard-unload.ts'
import { openArchiveWorker } from './crypto-workers.ts'
import { claimPrivateFile } from './private-files.ts'
import { saveReceivedFile } from './save-received-file.ts'

/** At most one download: all files of the account as one archive. */
export interface Archives extends JobList {
  /** Starts unless one is already running. */
  start(): void
}

// The name isn't taken from the server, which could otherwise choose the file type.
const input = { name: sealedArchive.fileName, size: 0 }

/** Manages the download of all files as one archive. It continues on every screen and ends in the user's downloads. */
export function createArchives(connection: Connection, accountKey: RootKey): Archives {
  function run({ name }: typeof input, update: (state: JobState, sizeBytes?: number) => void) {
    const privateFile = claimPrivateFile()
    const download = startArchiveDownload({
      connection,
      accountKey,
      createWorker: () => openArchiveWorker(privateFile.name),
    })
    download.subscribe(() => {
      const state = download.current()
      // Done is shown only once the archive is in the downloads.
      if (state.status !== 'done') update(archiveJobState(state), 'totalBytes' in state ? state.totalBytes : undefined)
    })
    void download.finished.then(async (outcome) => {
      if (outcome.status !== 'done') return privateFile.remove()
      const { saved } = outcome
      const size = 'blob' in saved ? saved.blob.size : (await privateFile.read()).size
      const error = await saveReceivedFile({ saved, privateFile, name, size })
      update(error ? { status: 'failed', error } : archiveJobState(outcome), size)
    })
    return download
  }

  const list = createJobList<typeof input>({ kind: 'archive', run })
  guardUnload(list, (jobs) => jobs.some(isActive))
  return {
    ...list,
    start() {
      if (list.current().some(isActive)) return
      removeAll(list)
      list.start(input)
    },
  }
}
