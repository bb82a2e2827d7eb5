import { createCaller } from '@sallyport/client/call'
import type { Clock } from '@sallyport/client/clock'
import { createManualClock } from '@sallyport/client/testing/manual-clock'
import type { RootKey } from '@sallyport/crypto'
import { startArchiveDownload } from '@sallyport/transfers/engine/archive/archive-download'
import type { ArchiveTarget } from '@sallyport/transfers/engine/archive/archive-target'
import { type ArchiveWorker, createArchiveWorker } from '@sallyport/transfers/engine/archive/archive-worker'
import { createDecryptWorker } from '@sallyport/transfers/engine/download/decrypt-worker'
import { startDownload } from '@sallyport/transfers/engine/download/download'
import type { DownloadSource } from '@sallyport/transfers/engine/download/source'
import type { UploadDestination } from '@sallyport/transfers/engine/upload/destination'
import {
  createEncryptWorker,
  type EncryptWorker,
  type SendBytes,
} from '@sallyport/transfers/engine/upload/encrypt-worker'
import type { PendingUpload, Resumption } from '@sallyport/transfers/engine/upload/prepare-upload'
import type { TransportSelector } from '@sallyport/transfers/engine/upload/transport'
import { startUpload, type Upload } from '@sallyport/transfers/engine/upload/upload'
import { sendByFetch } from '@sallyport/transfers/node/send-by-fetch'
import { createTestSink, fileOf } from '@sallyport/transfers/testing/files'
import type { LyingServer } from './server.ts'

interface UploadInput {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly root: RootKey
  readonly destination?: UploadDestination
  readonly pending?: PendingUpload
  readonly resumption?: Resumption
  /** Plants a fault into the worker. */
  readonly plantFault?: (worker: EncryptWorker) => EncryptWorker
}

interface FileClientOptions {
  /** How bytes are sent; by default with `fetch`. */
  readonly send?: (deps: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock }) => SendBytes
  readonly transports?: TransportSelector
}

/** The real upload and download engines against a server that may lie. */
export function createFileClient(
  { fetch, origin: baseUrl }: Pick<LyingServer, 'fetch' | 'origin'>,
  options: FileClientOptions = {},
) {
  const { send = sendByFetch, transports } = options
  const clock = createManualClock({ skipUpTo: 50_000 })
  const connection = { baseUrl, getAccessToken: async () => 'token', fetch, clock }

  function beginUpload({ name, bytes, root, pending, plantFault = (worker) => worker, ...more }: UploadInput): Upload {
    return startUpload({
      file: fileOf(bytes, name),
      rootKey: root,
      connection,
      transports,
      createWorker: (file) => plantFault(createEncryptWorker(file, { send: send({ fetch, clock }) })),
      ...(pending && { pending: Promise.resolve(pending) }),
      ...more,
    })
  }

  return {
    call: createCaller(connection),
    beginUpload,
    upload: (input: UploadInput) => beginUpload(input).finished,
    /** The bytes of the archive of all files, without those that cannot be opened; null if the download fails. */
    async downloadAll(
      accountKey: RootKey,
      plantFault = (worker: ArchiveWorker<Uint8Array>) => worker,
    ): Promise<Uint8Array | null> {
      const download = startArchiveDownload({
        connection,
        accountKey,
        createWorker: () =>
          plantFault(createArchiveWorker({ openTarget: async () => createMemoryTarget(), fetch, clock })),
      })
      download.subscribe(() => {
        // The choice becomes available right after a file is reported as stuck.
        if (download.current().status === 'stuck') queueMicrotask(download.skip)
      })
      const end = await download.finished
      return end.status === 'done' ? end.saved : null
    },
    /** The bytes of a successful download, otherwise null. */
    async download(source: DownloadSource): Promise<Uint8Array | null> {
      const sink = createTestSink({ room: 300_000 })
      const download = startDownload({
        source,
        connection,
        createWorker: async (keys) => createDecryptWorker({ keys, sink, fetch, clock }),
      })
      const end = await download.finished
      return end.status === 'done' ? sink.content() : null
    },
  }
}

function createMemoryTarget(): ArchiveTarget<Uint8Array> {
  let content = new Uint8Array(0)
  return {
    storage: 'memory',
    write(bytes, position) {
      const extended = new Uint8Array(Math.max(content.length, position + bytes.length))
      extended.set(content)
      extended.set(bytes, position)
      content = extended
    },
    truncate(length) {
      content = content.slice(0, length)
    },
    close: async () => content,
    abort: async () => undefined,
  }
}

/** Compares the decrypted bytes of a name with the bytes that were sealed under it. */
export function createContentCheck(contents: Readonly<Record<string, Uint8Array>>) {
  const violations: string[] = []
  let matches = 0
  return {
    violations,
    matches: () => matches,
    require(name: string | null, bytes: Uint8Array | null, action: string): void {
      if (name === null || bytes === null) return
      if (isEqual(bytes, contents[name])) matches += 1
      else violations.push(`${action} of ${name} decrypted to other bytes`)
    },
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other?.length === one.length && one.every((byte, index) => byte === other[index])
