import type { AccessToken } from '../call.ts'
import type { FileSource } from '../upload/file-source.ts'
import { createSealLane } from '../upload/seal-lane.ts'
import { sendByFetch } from '../upload/send-by-fetch.ts'
import { startUpload, type Upload } from '../upload/upload.ts'
import { createFileServer, type Fault } from './file-server.ts'
import { accountKey } from './files.ts'
import { createManualClock } from './manual-clock.ts'

const chunkPath = '/api/upload-chunk'

interface Setting {
  readonly fault?: Fault
  readonly accessToken?: AccessToken
  /** The longest wait that passes by itself; timeouts are longer. */
  readonly passUpTo?: number
  /** In place of what the lanes say by themselves. */
  readonly leavesCopies?: () => boolean
}

/** A server with its faults, a clock moved by hand, and uploads between them whose lanes are counted. */
export function startUploads(setting: Setting = {}) {
  const { fault, accessToken = async () => 'token', passUpTo = 60_000, leavesCopies } = setting
  const clock = createManualClock({ passUpTo: passUpTo - 1 })
  const server = createFileServer(fault)
  const fetch = server.fetch as typeof globalThis.fetch
  const connection = { baseUrl: 'http://server.test', accessToken, fetch, clock }
  const lanes = { opened: 0, closed: 0 }
  const begin = (file: FileSource, choice: { expirationMinutes?: number } = {}): Upload =>
    startUpload({
      file,
      accountKey,
      connection,
      ...choice,
      openLane(source) {
        lanes.opened += 1
        const lane = createSealLane(source, { send: sendByFetch({ fetch, clock }) })
        return {
          ...lane,
          ...(leavesCopies && { leavesCopies }),
          close() {
            lanes.closed += 1
            lane.close()
          },
        }
      },
    })
  return { clock, server, begin, lanes, chunkRequests: () => server.seen.filter(({ path }) => path === chunkPath) }
}

/** A fault that only requests with a chunk meet. */
export const onChunk =
  (trouble: Fault): Fault =>
  (seen, count) =>
    seen.path === chunkPath ? trouble(seen, count) : undefined

/** Which chunk a request carries. */
export const chunkIndex = ({ headers }: { headers: Headers }): number => Number(headers.get('x-chunk-index'))

/** What an upload failed of; fails the test when it ended in another way. */
export async function failureOf(upload: Upload): Promise<Error> {
  const end = await upload.finished
  if (end.status !== 'failed') throw new Error(`The upload ended as ${end.status}`)
  return end.error
}

/** Lets everything else run until a point is reached; the test's own time limit ends a wait in vain. */
export async function settle(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve))
}
