import { type Clock, raceAbort } from '@sallyport/client/clock'
import { NetworkError } from '@sallyport/client/errors'
import { bufferResponse, sendRequest, wrapNetworkError } from '@sallyport/client/http'
import type { PreparedRequest } from '@sallyport/client/request'
import type { BufferedResponse } from '@sallyport/client/response'
import type { SealedManifest } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { type FileKeys, openRecord, sealedBytes } from '@sallyport/crypto'
import type { ZipEntry } from '@sallyport/zip/entry'
import type { DecryptWorker } from '../download/decrypt-worker.ts'
import { receiveRecords } from '../download/receive-records.ts'
import type { ArchiveTarget } from './archive-target.ts'
import { readSealedArchive, type SealedArchiveReader } from './sealed-archive.ts'
import { createZipWriter, freeBytes } from './zip-writer.ts'

/** Structured-cloneable, because it may be posted to a worker and back. */
export type OpenArchiveResult =
  | { readonly kind: 'opened'; readonly manifest: SealedManifest }
  | ({ readonly kind: 'refused' } & BufferedResponse)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no-archive' }

export interface ArchiveFile {
  readonly id: string
  readonly entry: ZipEntry
  readonly keys: FileKeys
}

/**
 * Receives a sealed archive, decrypts it and writes a plain one: a worker in the browser, the same thread in Node. It
 * receives records of the current entry from the archive, or from the file's own URL if the archive is broken.
 */
export interface ArchiveWorker<Saved> extends Pick<DecryptWorker<Saved>, 'receive' | 'close' | 'abort'> {
  /** Requests the archive and reads its manifest. */
  open(request: PreparedRequest, signal: AbortSignal): Promise<OpenArchiveResult>
  /** Opens a target of this size and returns where it is stored. */
  reserve(bytes: number): Promise<ArchiveTarget<Saved>['storage']>
  /** Starts an entry; an entry that was not ended is discarded. */
  begin(file: ArchiveFile): Promise<void>
  /** Ends the current entry after all its records. */
  end(): Promise<void>
  /**
   * Receives whole files of one record each from the archive, in this order. Stops before the first one that is not
   * complete and intact there, and resolves to the number of entries that were written.
   */
  receiveMany(
    files: readonly ArchiveFile[],
    onOpened: (plainBytes: number) => void,
    signal: AbortSignal,
  ): Promise<number>
}

interface ArchiveWorkerDeps<Saved> {
  readonly openTarget: (bytes: number) => Promise<ArchiveTarget<Saved>>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/** Creates an archive worker that runs in the calling thread. */
export function createArchiveWorker<Saved>({
  openTarget,
  fetch,
  clock,
}: ArchiveWorkerDeps<Saved>): ArchiveWorker<Saved> {
  let archive: SealedArchiveReader | null = null
  let target: ArchiveTarget<Saved> | null = null
  let writer: ReturnType<typeof createZipWriter> | null = null
  let file: ArchiveFile | null = null

  /** Stops reading the archive: after a file came from its own URL, the archive is at the wrong position. */
  async function closeArchive(): Promise<void> {
    const closing = archive
    archive = null
    await closing?.cancel().catch((error) => ignore(error, 'the rest of the archive is not read'))
  }

  const fetchFromArchive: typeof globalThis.fetch = async (input, init) => {
    const isWhole = !new Headers(init?.headers).has('range')
    const body = isWhole && file ? archive?.next(file.id) : null
    if (!body || !file) {
      await closeArchive()
      return fetch(input, init)
    }
    return new Response(body, { headers: { 'X-Chunk-Size': String(file.keys.header.recordBytes) } })
  }

  /** Returns false where the file has to be received by itself. */
  async function addFromArchive({ id, entry, keys }: ArchiveFile): Promise<boolean> {
    const sealed = await archive?.readWhole(id, sealedBytes(keys.header))
    if (!sealed) return false
    const plain = await openRecord(keys, 0, sealed)
    await requireOpen(writer).add(entry, plain)
    freeBytes(sealed)
    freeBytes(plain)
    return true
  }

  return {
    async receiveMany(wanted, onOpened, signal) {
      let count = 0
      try {
        for (const next of wanted) {
          signal.throwIfAborted()
          if (!(await raceAbort(addFromArchive(next), signal))) break
          onOpened(next.entry.bytes)
          count += 1
        }
      } catch (error) {
        signal.throwIfAborted()
        ignore(error, 'the file is received by itself')
      }
      return count
    },
    async open(request, signal) {
      try {
        const response = await sendRequest(fetch, request, signal)
        const { body } = response
        if (!response.ok || !body) return { kind: 'refused', ...(await bufferResponse(response, signal)) }
        archive = await wrapNetworkError(signal, () => readSealedArchive(body))
        if (!archive) return { kind: 'no-archive' }
        return { kind: 'opened', manifest: archive.manifest }
      } catch (error) {
        if (error instanceof NetworkError) return { kind: 'unreachable' }
        throw error
      }
    },
    async reserve(bytes) {
      target = await openTarget(bytes)
      writer = createZipWriter(target)
      return target.storage
    },
    async begin(next) {
      file = next
      await requireOpen(writer).begin(next.entry)
    },
    receive(task, onOpened, signal) {
      const { keys } = requireOpen(file)
      const sink = { write: (bytes: Uint8Array<ArrayBuffer>) => requireOpen(writer).write(bytes) }
      return receiveRecords({ ...task, keys, sink, fetch: fetchFromArchive, clock, onOpened, signal })
    },
    end: () => requireOpen(writer).end(),
    async close(onDecrypted, signal) {
      await closeArchive()
      await requireOpen(writer).finish()
      return requireOpen(target).close(onDecrypted, signal)
    },
    async abort() {
      await closeArchive()
      await target?.abort()
    },
  }
}

function requireOpen<T>(value: T | null): T {
  if (value === null) throw new Error('The archive was not opened')
  return value
}
