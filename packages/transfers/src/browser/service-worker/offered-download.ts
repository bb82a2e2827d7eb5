import { systemClock } from '@sallyport/client/clock'
import { createDecryptWorker, type DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import { createPacedStream, type PacedStream } from './paced-stream.ts'
import { downloadResponse } from './responses.ts'
import type { OfferInput } from './served.tasks.ts'

/** An offered download that is not requested within this time is deleted together with its key. */
const claimTimeoutMs = 60_000

/** A file that a page offers to the browser as a download: requested once at its URL, then streamed as it arrives. */
export interface OfferedDownload {
  readonly auth: string
  /** Responds to the browser's request. The URL can be used only once. */
  respond(): { readonly response: Response; readonly ended: Promise<void> }
  /** Resolves when the browser requests the file, rejects on timeout. */
  readonly claimed: Promise<void>
  readonly decryptWorker: DecryptWorker<void>
}

export function offerDownload({ handles, keys, name }: OfferInput): OfferedDownload {
  const paced: PacedStream = createPacedStream()
  const { promise: claimed, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('The browser did not request the file')), claimTimeoutMs)
  const decryptWorker = createDecryptWorker<void>({
    keys,
    sink: {
      storage: 'disk',
      isSeekable: false,
      write: (bytes) => paced.write(bytes),
      async close() {
        paced.close()
      },
      async abort() {
        paced.fail(new Error('The download was cancelled'))
      },
    },
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
      return { response: downloadResponse(paced.stream, keys.header.plainBytes, name), ended: paced.ended }
    },
  }
}
