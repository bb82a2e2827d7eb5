import { openTaskPort } from '@sallyport/browser/task-port'
import { systemClock } from '@sallyport/client/clock'
import { createDecryptWorker, type DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { StagedRecordTasks } from '../workers/tasks.ts'
import { createPacedStream, type PacedStream } from './paced-stream.ts'
import { downloadResponse } from './responses.ts'
import type { OfferInput } from './served.tasks.ts'
import { createServedSink } from './served-sink.ts'

/** A download that the browser does not request within this time is deleted together with its key. */
const claimTimeoutMs = 30_000

/** A file that a page offers to the browser as a download: requested once at its URL, then streamed as it arrives. */
export interface OfferedDownload {
  readonly auth: string
  /** Responds to the browser's request. The URL can be used only once. */
  respond(): Response
  /** Resolves when the browser requests the file; rejects on timeout and when the download is aborted. */
  readonly claimed: Promise<void>
  readonly decryptWorker: DecryptWorker<void>
}

interface OfferedDownloadInput extends OfferInput {
  readonly stagedRecords: MessagePort | null
  /** Makes the browser request the file. */
  readonly requestFile: () => void
}

export function offerDownload({ handles, keys, name, ...input }: OfferedDownloadInput): OfferedDownload {
  const { stagedRecords: port, requestFile } = input
  const paced: PacedStream = createPacedStream()
  const { promise: claimed, resolve, reject } = Promise.withResolvers<void>()
  claimed.catch(() => undefined)
  void paced.ended.then(() => reject(new Error('The download has ended')))
  let timer: ReturnType<typeof setTimeout> | undefined
  const waitForRequest = (): Promise<void> => {
    timer = setTimeout(() => reject(new Error('The browser did not request the file')), claimTimeoutMs)
    requestFile()
    return claimed
  }
  const staged = port && openStagedRecords(port)
  const decryptWorker = createDecryptWorker<void>({
    keys,
    sink: createServedSink({ paced, staged, waitForRequest, header: keys.header, clock: systemClock }),
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
  })
  return {
    auth: handles.auth,
    claimed,
    decryptWorker,
    respond() {
      clearTimeout(timer)
      resolve()
      return downloadResponse(paced.stream, keys.header.plainBytes, name)
    },
  }
}

function openStagedRecords(port: MessagePort): StagedRecordTasks {
  const { tasks, fail } = openTaskPort<StagedRecordTasks>(port, () => port.close())
  port.addEventListener('close', fail)
  return tasks
}
