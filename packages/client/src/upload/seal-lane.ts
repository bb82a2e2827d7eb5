import type { FileKeys } from '@sallyport/crypto'
import type { Answer } from '../answer.ts'
import type { PreparedRequest } from '../request.ts'
import { isChunkUnchanged } from './check-chunk.ts'
import { FileChangedError, type FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import { createRecordBuffers, sealChunk } from './seal-chunk.ts'
import { type OpenSealedPlace, placesInMemory, type SealedBody, type SealedPlace } from './sealed-places.ts'

/** How sealed bytes travel: as the body of a request, or as frames of a socket. */
export type Way = 'request' | 'socket'

/** Plain values throughout: a task, its progress and its outcome may cross into a worker and back. */
export interface SealTask {
  readonly chunk: Chunk
  /** Complete with its bearer token; the sealed chunk becomes its body. */
  readonly request: PreparedRequest
  readonly way: Way
  readonly timeoutMs: number
}

export interface LaneProgress {
  /** Plain bytes of the chunk that are sealed. */
  readonly sealedBytes: number
  /** Sealed bytes of the chunk that have left. */
  readonly sentBytes: number
  /** Told each time the chunk was sealed: the imprints of its records, end to end. */
  readonly imprints?: Uint8Array<ArrayBuffer>
}

export interface CheckTask {
  readonly chunk: Chunk
  /** Of all its records, end to end, from when it was sealed. */
  readonly imprints: Uint8Array
}

export type SendOutcome =
  | ({ readonly kind: 'answered' } & Answer)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'file-changed' }

/** Where chunks are sealed and sent: a worker in the browser, the same thread in Node. */
export interface SealLane {
  /**
   * Seals a chunk and sends it. Until the server has taken it the sealed bytes are kept: a call for the same chunk
   * sends them again, to the byte. Rejects with the signal's reason when aborted.
   */
  sealAndSend(task: SealTask, onProgress: (progress: LaneProgress) => void, signal: AbortSignal): Promise<SendOutcome>
  /** Whether the file still has, in this chunk, the bytes that were sealed. Rejects with the signal's reason. */
  isUnchanged(task: CheckTask, signal: AbortSignal): Promise<boolean>
  /** Whether bodies were sent from memory, copies of which may stay until the lane is closed. */
  leavesCopies(): boolean
  close(): void
}

export interface SealSource {
  readonly file: FileSource
  readonly keys: FileKeys
}

export type OpenSealLane = (source: SealSource) => SealLane

interface SendBody {
  readonly request: PreparedRequest
  readonly body: SealedBody
  /** A sender that knows only one takes that. */
  readonly way: Way
  readonly timeoutMs: number
  readonly onSent: (sentBytes: number) => void
  readonly signal: AbortSignal
}

export type SendBytes = (work: SendBody) => Promise<Exclude<SendOutcome, { kind: 'file-changed' }>>

interface LaneMeans {
  /** The one thing that differs between all platforms. */
  readonly send: SendBytes
  /** Memory, unless the platform has something better. */
  readonly openPlace?: OpenSealedPlace
}

interface SealedChunk {
  readonly place: SealedPlace
  readonly body: SealedBody
}

/** A lane in the thread it is made in. */
export function createSealLane(
  { file, keys }: SealSource,
  { send, openPlace = placesInMemory() }: LaneMeans,
): SealLane {
  const kept = new Map<number, SealedChunk>()
  const buffers = createRecordBuffers(keys.header)
  let sealing: Promise<unknown> = Promise.resolve()
  let hasSentFromMemory = false

  async function seal(chunk: Chunk, onProgress: (progress: LaneProgress) => void, signal: AbortSignal) {
    const onSealed = (sealedBytes: number) => onProgress({ sealedBytes, sentBytes: 0 })
    // One chunk at a time: two at once would only share the processor and both come out late.
    const turn = sealing.then(async () => {
      const place = await openPlace(chunk.sealedBytes)
      const imprints = await sealChunk({ file, keys, chunk, place, buffers, onSealed, signal })
      const body = await place.close()
      onProgress({ sealedBytes: chunk.end - chunk.start, sentBytes: 0, imprints })
      return { place, body }
    })
    sealing = turn.catch(() => undefined)
    const sealed = await turn
    kept.set(chunk.index, sealed)
    return sealed
  }

  return {
    async sealAndSend({ chunk, request, way, timeoutMs }, onProgress, signal) {
      try {
        const sealedBytes = chunk.end - chunk.start
        const { place, body } = kept.get(chunk.index) ?? (await seal(chunk, onProgress, signal))
        const onSent = (sentBytes: number) => onProgress({ sealedBytes, sentBytes })
        hasSentFromMemory ||= !(body instanceof Blob)
        const outcome = await send({ request, body, way, timeoutMs, onSent, signal })
        if (outcome.kind === 'answered' && outcome.status < 300) {
          kept.delete(chunk.index)
          place.free()
        }
        return outcome
      } catch (error) {
        if (error instanceof FileChangedError) return { kind: 'file-changed' }
        throw error
      }
    },
    isUnchanged: (task, signal) => isChunkUnchanged({ ...task, file, keys, signal }),
    leavesCopies: () => hasSentFromMemory,
    close() {
      kept.clear()
    },
  }
}
