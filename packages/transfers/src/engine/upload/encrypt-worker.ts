import { hasCode } from '@sallyport/client/errors'
import type { PreparedRequest } from '@sallyport/client/request'
import type { BufferedResponse } from '@sallyport/client/response'
import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import { isChunkUnchanged } from './check-chunk.ts'
import type { FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import { createRecordBuffers, sealChunk } from './seal-chunk.ts'
import { type CreateSealedBuffer, createMemoryBuffers, type SealedBody, type SealedBuffer } from './sealed-buffers.ts'

/** How sealed bytes are sent: as the body of an HTTP request, or as frames of a WebSocket. */
export type UploadTransport = 'request' | 'socket'

/** Tasks, progress and outcomes are structured-cloneable, because they may be posted to a worker and back. */
export interface SealTask {
  readonly chunk: Chunk
  /** Includes the bearer token; the sealed chunk becomes its body. */
  readonly request: PreparedRequest
  readonly transport: UploadTransport
  readonly timeoutMs: number
}

export interface ChunkProgress {
  /** Plain bytes of the chunk that are sealed. */
  readonly sealedBytes: number
  /** Sealed bytes of the chunk that have been sent. */
  readonly sentBytes: number
  /** Set each time the chunk was sealed: the digests of its records, concatenated. */
  readonly recordDigests?: Uint8Array<ArrayBuffer>
}

export interface CheckTask {
  readonly chunk: Chunk
  /** Digests of all its records from when it was sealed, concatenated. */
  readonly recordDigests: Uint8Array
}

export type SendOutcome =
  | ({ readonly kind: 'answered' } & BufferedResponse)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'file-changed' }

/** Seals and sends chunks: a worker in the browser, the same thread in Node. */
export interface EncryptWorker {
  /**
   * Seals a chunk and sends it. Holds the sealed bytes until the server has accepted them: a call for the same chunk
   * sends identical bytes. Rejects with the signal's reason when aborted.
   */
  encryptAndSend(
    task: SealTask,
    onProgress: (progress: ChunkProgress) => void,
    signal: AbortSignal,
  ): Promise<SendOutcome>
  /** Whether this chunk of the file still has the bytes that were sealed. Rejects with the signal's reason. */
  isUnchanged(task: CheckTask, signal: AbortSignal): Promise<boolean>
  /** Whether bodies were sent from memory; the browser may hold copies of them until the worker is closed. */
  mayRetainBodies(): boolean
  close(): void
}

export interface EncryptSource {
  readonly file: FileSource
  readonly keys: FileKeys
}

export type CreateEncryptWorker = (source: EncryptSource) => EncryptWorker

interface SendBodyInput {
  readonly request: PreparedRequest
  readonly body: SealedBody
  /** Ignored where only one transport is available. */
  readonly transport: UploadTransport
  readonly timeoutMs: number
  readonly onSent: (sentBytes: number) => void
  readonly signal: AbortSignal
}

export type SendBytes = (input: SendBodyInput) => Promise<Exclude<SendOutcome, { kind: 'file-changed' }>>

interface EncryptWorkerDeps {
  /** The only part that differs between platforms. */
  readonly send: SendBytes
  /** Defaults to buffers in memory. */
  readonly createBuffer?: CreateSealedBuffer
}

interface SealedChunk {
  readonly sealedBuffer: SealedBuffer
  readonly body: SealedBody
}

/** Creates an encrypt worker that runs in the calling thread. */
export function createEncryptWorker(
  { file, keys }: EncryptSource,
  { send, createBuffer = createMemoryBuffers() }: EncryptWorkerDeps,
): EncryptWorker {
  const sealedChunks = new Map<number, SealedChunk>()
  const buffers = createRecordBuffers(keys.header)
  let sealing: Promise<unknown> = Promise.resolve()
  let hasSentFromMemory = false

  async function seal(chunk: Chunk, onProgress: (progress: ChunkProgress) => void, signal: AbortSignal) {
    const onSealed = (sealedBytes: number) => onProgress({ sealedBytes, sentBytes: 0 })
    // Seals one chunk at a time: two in parallel would share the processor and both finish later.
    const pending = sealing.then(async () => {
      const sealedBuffer = await createBuffer(chunk.sealedBytes)
      const recordDigests = await sealChunk({ file, keys, chunk, sealedBuffer, buffers, onSealed, signal })
      const body = await sealedBuffer.finish()
      onProgress({ sealedBytes: chunk.end - chunk.start, sentBytes: 0, recordDigests })
      return { sealedBuffer, body }
    })
    sealing = pending.catch((error) => ignore(error, 'the caller of this chunk handles it'))
    const sealed = await pending
    sealedChunks.set(chunk.index, sealed)
    return sealed
  }

  return {
    async encryptAndSend({ chunk, request, transport, timeoutMs }, onProgress, signal) {
      try {
        const sealedBytes = chunk.end - chunk.start
        const { sealedBuffer, body } = sealedChunks.get(chunk.index) ?? (await seal(chunk, onProgress, signal))
        const onSent = (sentBytes: number) => onProgress({ sealedBytes, sentBytes })
        hasSentFromMemory ||= !(body instanceof Blob)
        const outcome = await send({ request, body, transport, timeoutMs, onSent, signal })
        if (outcome.kind === 'answered' && outcome.status < 300) {
          sealedChunks.delete(chunk.index)
          sealedBuffer.release()
        }
        return outcome
      } catch (error) {
        if (hasCode(error, 'FILE_CHANGED')) return { kind: 'file-changed' }
        throw error
      }
    },
    isUnchanged: (task, signal) => isChunkUnchanged({ ...task, file, keys, signal }),
    mayRetainBodies: () => hasSentFromMemory,
    close() {
      sealedChunks.clear()
    },
  }
}
