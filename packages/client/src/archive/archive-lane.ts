import type { SealedManifest } from '@sallyport/contract/files'
import type { FileKeys } from '@sallyport/crypto'
import type { ZipEntry } from '@sallyport/zip/entry'
import type { Answer } from '../answer.ts'
import type { Clock } from '../clock.ts'
import { receiveRecords } from '../download/receive-records.ts'
import type { ReceiveOutcome, ReceiveTask } from '../download/receive-task.ts'
import { NetworkError } from '../errors.ts'
import { readWhole, send } from '../http.ts'
import type { PreparedRequest } from '../request.ts'
import type { ArchiveTarget } from './archive-target.ts'
import { readSealedArchive, type SealedArchiveReader } from './sealed-archive.ts'
import { createZipWriter } from './zip-writer.ts'

/** Plain values, as in a download: all of this may cross into a worker and back. */
export type ArchiveOpening =
  | { readonly kind: 'opened'; readonly manifest: SealedManifest }
  | ({ readonly kind: 'refused' } & Answer)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no-archive' }

export interface ArchiveFile {
  readonly id: string
  readonly entry: ZipEntry
  readonly keys: FileKeys
}

/** Where a sealed archive is received, opened and written anew: a worker in the browser, the same thread in Node. */
export interface ArchiveLane<Saved> {
  /** Asks for the archive and reads what is in it. */
  open(request: PreparedRequest, signal: AbortSignal): Promise<ArchiveOpening>
  /** Makes room for so many bytes and tells where they go. */
  reserve(bytes: number): Promise<ArchiveTarget<Saved>['place']>
  /** Goes on with this file, in place of one that has not ended. */
  begin(file: ArchiveFile): Promise<void>
  /** Receives records of the file that was begun; from the archive, or from its own address where that is broken. */
  receive(task: ReceiveTask, onOpened: (plainBytes: number) => void, signal: AbortSignal): Promise<ReceiveOutcome>
  /** Every record of the file is there. */
  end(): Promise<void>
  close(): Promise<Saved>
  abort(): Promise<void>
}

interface LaneParts<Saved> {
  readonly openTarget: (bytes: number) => Promise<ArchiveTarget<Saved>>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/** A lane in the thread it is made in. */
export function createArchiveLane<Saved>({ openTarget, fetch, clock }: LaneParts<Saved>): ArchiveLane<Saved> {
  let archive: SealedArchiveReader | null = null
  let target: ArchiveTarget<Saved> | null = null
  let writer: ReturnType<typeof createZipWriter> | null = null
  let file: ArchiveFile | null = null

  /** Once a file came from elsewhere, the archive does not fit any more. */
  async function leaveArchive(): Promise<void> {
    const left = archive
    archive = null
    await left?.cancel().catch(() => undefined)
  }

  const fromArchive: typeof globalThis.fetch = async (input, init) => {
    const isWhole = !new Headers(init?.headers).has('range')
    const body = isWhole && file ? archive?.next(file.id) : null
    if (!body || !file) {
      await leaveArchive()
      return fetch(input, init)
    }
    return new Response(body, { headers: { 'X-Chunk-Size': String(file.keys.header.recordBytes) } })
  }

  return {
    async open(request, signal) {
      try {
        const response = await send(fetch, request, signal)
        if (!response.ok || !response.body) return { kind: 'refused', ...(await readWhole(response, signal)) }
        archive = await readSealedArchive(response.body)
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
      return target.place
    },
    async begin(next) {
      file = next
      await required(writer).begin(next.entry)
    },
    receive(task, onOpened, signal) {
      const { keys } = required(file)
      const sink = { write: (bytes: Uint8Array<ArrayBuffer>) => required(writer).write(bytes) }
      return receiveRecords({ ...task, keys, sink, fetch: fromArchive, clock, onOpened, signal })
    },
    end: () => required(writer).end(),
    async close() {
      await leaveArchive()
      await required(writer).finish()
      return required(target).close()
    },
    async abort() {
      await leaveArchive()
      await target?.abort()
    },
  }
}

function required<Part>(part: Part | null): Part {
  if (part === null) throw new Error('The archive was not opened')
  return part
}
