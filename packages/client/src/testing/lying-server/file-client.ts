import type { Root } from '@sallyport/crypto'
import { createCaller } from '../../call.ts'
import { startDownload } from '../../download/download.ts'
import { createOpenLane } from '../../download/open-lane.ts'
import type { DownloadSource } from '../../download/source.ts'
import type { UploadPlace } from '../../upload/place.ts'
import { createSealLane } from '../../upload/seal-lane.ts'
import { sendByFetch } from '../../upload/send-by-fetch.ts'
import { startUpload } from '../../upload/upload.ts'
import { createTestSink, fileOf } from '../files.ts'
import { createManualClock } from '../manual-clock.ts'
import type { LyingServer } from './server.ts'

interface UploadInput {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly root: Root
  readonly place?: UploadPlace
}

/** The real upload and download engines at a server that may lie. */
export function createFileClient({ fetch, origin: baseUrl }: LyingServer) {
  const clock = createManualClock({ passUpTo: 50_000 })
  const connection = { baseUrl, accessToken: async () => 'token', fetch, clock }
  return {
    call: createCaller(connection),
    upload: ({ name, bytes, root, place }: UploadInput) =>
      startUpload({
        file: fileOf(bytes, name),
        accountKey: root,
        connection,
        place,
        openLane: (file) => createSealLane(file, { send: sendByFetch({ fetch, clock }) }),
      }).finished,
    /** The bytes of a download that ended well, else null. */
    async download(source: DownloadSource): Promise<Uint8Array | null> {
      const sink = createTestSink({ room: 8192 })
      const download = startDownload({
        source,
        connection,
        openLane: async (keys) => createOpenLane({ keys, sink, fetch, clock }),
      })
      const end = await download.finished
      return end.status === 'done' ? sink.content() : null
    },
  }
}

/** Holds what opened under a name against what was sealed under it. */
export function contentCheck(contents: Readonly<Record<string, Uint8Array>>) {
  const violations: string[] = []
  let matches = 0
  return {
    violations,
    matches: () => matches,
    require(name: string | null, bytes: Uint8Array | null, what: string): void {
      if (name === null || bytes === null) return
      if (isEqual(bytes, contents[name])) matches += 1
      else violations.push(`${what} of ${name} opened as other bytes`)
    },
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other?.length === one.length && one.every((byte, index) => byte === other[index])
