import type { Root } from '@sallyport/crypto'
import { startArchiveDownload } from '../../archive/archive-download.ts'
import { type ArchiveLane, createArchiveLane } from '../../archive/archive-lane.ts'
import type { ArchiveTarget } from '../../archive/archive-target.ts'
import { createCaller } from '../../call.ts'
import type { Clock } from '../../clock.ts'
import { startDownload } from '../../download/download.ts'
import { createOpenLane } from '../../download/open-lane.ts'
import type { DownloadSource } from '../../download/source.ts'
import type { Resumption } from '../../upload/journal.ts'
import type { UploadPlace } from '../../upload/place.ts'
import type { NotedUpload } from '../../upload/prepare-upload.ts'
import { createSealLane, type SealLane, type SendBytes } from '../../upload/seal-lane.ts'
import { sendByFetch } from '../../upload/send-by-fetch.ts'
import { startUpload, type Upload } from '../../upload/upload.ts'
import type { WayKeeper } from '../../upload/way.ts'
import { createTestSink, fileOf } from '../files.ts'
import { createManualClock } from '../manual-clock.ts'
import type { LyingServer } from './server.ts'

interface UploadInput {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly root: Root
  readonly place?: UploadPlace
  readonly noted?: NotedUpload
  readonly resumption?: Resumption
  /** A lane with a fault. */
  readonly spoil?: (lane: SealLane) => SealLane
}

interface FileClientOptions {
  /** How bytes are sent; by requests without it. */
  readonly send?: (means: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock }) => SendBytes
  readonly ways?: WayKeeper
}

/** The real upload and download engines at a server that may lie. */
export function createFileClient(
  { fetch, origin: baseUrl }: Pick<LyingServer, 'fetch' | 'origin'>,
  options: FileClientOptions = {},
) {
  const { send = sendByFetch, ways } = options
  const clock = createManualClock({ passUpTo: 50_000 })
  const connection = { baseUrl, accessToken: async () => 'token', fetch, clock }

  function beginUpload({ name, bytes, root, noted, spoil = (lane) => lane, ...more }: UploadInput): Upload {
    return startUpload({
      file: fileOf(bytes, name),
      accountKey: root,
      connection,
      ways,
      openLane: (file) => spoil(createSealLane(file, { send: send({ fetch, clock }) })),
      ...(noted && { noted: Promise.resolve(noted) }),
      ...more,
    })
  }

  return {
    call: createCaller(connection),
    beginUpload,
    upload: (input: UploadInput) => beginUpload(input).finished,
    /** The bytes of the archive of all files; files that cannot be opened are left out. Null where there is none. */
    async downloadAll(
      accountKey: Root,
      spoilLane = (lane: ArchiveLane<Uint8Array>) => lane,
    ): Promise<Uint8Array | null> {
      const download = startArchiveDownload({
        connection,
        accountKey,
        openLane: () => spoilLane(createArchiveLane({ openTarget: async () => memoryTarget(), fetch, clock })),
      })
      download.subscribe(() => {
        // The choice is asked for right after a file is shown as stuck.
        if (download.current().status === 'stuck') queueMicrotask(download.leaveOut)
      })
      const end = await download.finished
      return end.status === 'done' ? end.saved : null
    },
    /** The bytes of a download that ended well, else null. */
    async download(source: DownloadSource): Promise<Uint8Array | null> {
      const sink = createTestSink({ room: 300_000 })
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

function memoryTarget(): ArchiveTarget<Uint8Array> {
  let content = new Uint8Array(0)
  return {
    place: 'memory',
    write(bytes, position) {
      const grown = new Uint8Array(Math.max(content.length, position + bytes.length))
      grown.set(content)
      grown.set(bytes, position)
      content = grown
    },
    cut(length) {
      content = content.slice(0, length)
    },
    close: async () => content,
    abort: async () => undefined,
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
