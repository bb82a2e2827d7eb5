import type { GetAccessToken } from '@sallyport/client/call'
import { createFileServer, type Fault } from '@sallyport/client/testing/file-server'
import { accountKey } from '@sallyport/client/testing/files'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import { createEncryptWorker } from '../engine/upload/encrypt-worker.ts'
import type { FileSource } from '../engine/upload/file-source.ts'
import type { TransportSelector } from '../engine/upload/transport.ts'
import { startUpload, type Upload } from '../engine/upload/upload.ts'
import { sendByFetch } from '../node/send-by-fetch.ts'

const chunkPath = '/api/upload-chunk'

interface StartUploadsOptions {
  readonly fault?: Fault
  readonly getAccessToken?: GetAccessToken
  /** Waits shorter than this resolve immediately; timeouts are longer. */
  readonly skipUpTo?: number
  /** Overrides the workers' own `leavesCopies`. */
  readonly leavesCopies?: () => boolean
  /** Shared by the uploads; by default each has its own. */
  readonly transports?: TransportSelector
}

/** A server with faults, a manual clock, and uploads whose workers are counted. */
export function startUploads(options: StartUploadsOptions = {}) {
  const {
    fault,
    getAccessToken = async () => 'token',
    skipUpTo = 60_000,
    leavesCopies: mayRetainBodies,
    transports,
  } = options
  const clock = createManualClock({ skipUpTo: skipUpTo - 1 })
  const server = createFileServer(fault)
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = { baseUrl: 'http://server.test', getAccessToken, fetch, clock }
  const workers = { opened: 0, closed: 0 }
  const begin = (file: FileSource, choice: { expirationMinutes?: number } = {}): Upload =>
    startUpload({
      file,
      rootKey: accountKey,
      connection,
      transports,
      ...choice,
      createWorker(source) {
        workers.opened += 1
        const worker = createEncryptWorker(source, { send: sendByFetch({ fetch, clock }) })
        return {
          ...worker,
          ...(mayRetainBodies && { mayRetainBodies }),
          close() {
            workers.closed += 1
            worker.close()
          },
        }
      },
    })
  return {
    clock,
    server,
    begin,
    workers,
    chunkRequests: () => server.requests.filter(({ path }) => path === chunkPath),
  }
}

/** A fault that affects only chunk requests. */
export const onChunk =
  (fault: Fault): Fault =>
  (request, count) =>
    request.path === chunkPath ? fault(request, count) : undefined

/** The index of the chunk in a request. */
export const chunkIndex = ({ headers }: { headers: Headers }): number => Number(headers.get('x-chunk-index'))

/** The error of a failed upload; throws if the upload ended otherwise. */
export async function failureOf(upload: Upload): Promise<Error> {
  const end = await upload.finished
  if (end.status !== 'failed') throw new Error(`The upload ended as ${end.status}`)
  return end.error
}
