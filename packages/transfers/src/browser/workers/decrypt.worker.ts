import { serveTasks } from '@sallyport/browser/serve-tasks'
import { systemClock } from '@sallyport/client/clock'
import { createDecryptWorker, type DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import { type DownloadSink, openSink } from './storage/open.sinks.ts'
import type { DecryptTasks, SavedFile, StagedRecordTasks } from './tasks.ts'
import { sumProgress } from './throttle.ts'

let decryptWorker: DecryptWorker<SavedFile> | undefined
let records: DownloadSink['records']

serveTasks<DecryptTasks>({
  async open(input) {
    const sink = await openSink(input)
    records = sink.records
    const sendRequest: typeof fetch = (url, init) => fetch(url, init)
    decryptWorker = createDecryptWorker({ keys: input.keys, sink, fetch: sendRequest, clock: systemClock })
    const { storage, isSeekable, writtenRecords } = decryptWorker
    return { storage, isSeekable, ...(writtenRecords && { writtenRecords }) }
  },
  receive: (task, onOpened, signal) => sumProgress(onOpened, (push) => requireWorker().receive(task, push, signal)),
  close: (onDecrypted, signal) => sumProgress(onDecrypted, (push) => requireWorker().close(push, signal)),
  abort: async () => requireWorker().abort(),
  suspend: async () => requireWorker().suspend?.(),
  async serveStaged(port) {
    if (!records) throw new Error('Nothing is staged')
    const { put, read } = records
    serveTasks<StagedRecordTasks>({ put: async (...record) => put(...record), read }, port)
  },
})

function requireWorker(): DecryptWorker<SavedFile> {
  if (!decryptWorker) throw new Error('The decrypt worker is not open')
  return decryptWorker
}
