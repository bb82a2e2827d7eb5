import { ignore } from '@sallyport/contract/ignore'
import { uploadSocketLimits } from '@sallyport/contract/limits'
import type { UploadSocketServerMessage, UploadStart } from '@sallyport/contract/upload-socket'
import { apiError } from '../../../../errors.ts'
import type { UploadService } from '../uploads.service.ts'
import { type ChunkFeed, createChunkFeed } from './chunk-feed.ts'
import { chunkingFromPlan, chunkingWithoutPlan } from './socket-chunking.ts'

/** The client's end of an upload socket. */
export interface UploadSocketClient {
  send(answer: UploadSocketServerMessage): void
  /** Applies backpressure until `resume` is called. */
  pause(): void
  resume(): void
}

interface TransferDeps {
  readonly uploads: UploadService
  readonly ownerId: string
  readonly start: UploadStart
  readonly client: UploadSocketClient
  /** Called when a chunk could not be stored. */
  readonly onFailure: (error: unknown) => void
}

/** Two concurrent chunks keep the disk busy; more would only use memory. */
const maxConcurrentChunks = 2

export interface SocketTransfer {
  readonly uploadId: string
  /** Accepts sealed bytes in file order. Throws an API error if there are more than announced. */
  write(bytes: Buffer): void
  /** Turns the received bytes into a file and resolves to its id. */
  complete(actualEncryptedSize: number): Promise<string>
  /** True when everything is received and stored, so that the socket can carry the next upload. */
  readonly isDone: boolean
  /** Aborts the upload. An upload that came over this socket alone is removed. */
  abort(): Promise<void>
}

/** Receives one upload, or one chunk of it, over a socket. Throws if the start message contradicts itself. */
export function beginTransfer({ uploads, ownerId, start, client, onFailure }: TransferDeps): SocketTransfer {
  const { uploadId, chunkIndex } = start
  const wrappedKey = start.encryptedFileKey
  const plan = uploads.planOf({ wrappedKey, chunkBytes: start.chunkSize, session: null })
  const chunking = plan ? chunkingFromPlan(plan, start) : chunkingWithoutPlan(start)
  const storing = new Set<Promise<void>>()
  let next = chunking.firstIndex
  let feed: ChunkFeed | null = null
  let receivedBytes = 0
  let reportedBytes = 0
  let isDone = false

  const resume = (): void => {
    if (storing.size <= maxConcurrentChunks) client.resume()
  }

  function openFeed(): ChunkFeed {
    const index = next
    const sealedBytes = chunking.sealedBytes(index)
    if (sealedBytes === null) throw apiError('CHUNK_TOO_LONG')
    next += 1
    const opened = createChunkFeed(sealedBytes, { pause: client.pause, resume })
    const stored = storeChunk(index, opened).catch((error: unknown) => {
      if (!isDone) onFailure(error)
    })
    storing.add(stored)
    void stored.finally(() => {
      storing.delete(stored)
      resume()
    })
    return opened
  }

  async function storeChunk(index: number, { bytes }: ChunkFeed): Promise<void> {
    await uploads.receive({
      wrappedKey,
      chunkBytes: chunking.chunkBytes,
      ownerId,
      session: null,
      uploadKey: uploadId,
      index,
      sealedName: start.fileName,
      expirationMinutes: start.fileExpirationMinutes,
      announcedBytes: undefined,
      bytes,
      hasStallGuard: true,
    })
    if (isDone) return
    sendProgress()
    if (chunkIndex === undefined) return
    isDone = true
    client.send({ type: 'upload-chunk-stored', uploadId, chunkIndex })
  }

  function sendProgress(): void {
    reportedBytes = receivedBytes
    const progress = chunking.totalBytes === 0 ? 100 : Math.floor((receivedBytes / chunking.totalBytes) * 100)
    client.send({
      type: 'upload-progress',
      uploadId,
      progress,
      bytesRead: receivedBytes,
      totalBytes: chunking.totalBytes,
    })
  }

  // Opened before any byte arrives, so that errors are sent before the client uploads.
  feed = openFeed()
  sendProgress()

  return {
    uploadId,
    write(bytes) {
      if (receivedBytes + bytes.length > chunking.totalBytes) throw apiError('CHUNK_TOO_LONG')
      receivedBytes += bytes.length
      for (let rest = bytes; rest.length > 0; ) {
        feed ??= openFeed()
        const piece = rest.subarray(0, feed.remainingBytes)
        rest = rest.subarray(piece.length)
        feed.push(piece)
        if (feed.remainingBytes === 0) feed = null
      }
      if (storing.size > maxConcurrentChunks) client.pause()
      if (
        receivedBytes - reportedBytes >= uploadSocketLimits.progressEveryBytes ||
        receivedBytes === chunking.totalBytes
      )
        sendProgress()
    },
    async complete(actualEncryptedSize) {
      if (chunkIndex !== undefined) throw apiError('UPLOAD_NOT_FOUND')
      if (actualEncryptedSize !== receivedBytes) throw apiError('CHUNK_LENGTH_WRONG')
      feed?.end()
      feed = null
      await Promise.all(storing)
      const fileId = await uploads.complete(ownerId, uploadId, {
        fileName: start.fileName,
        encryptedFileKey: wrappedKey,
        totalChunks: plan?.chunkCount ?? next,
        chunkSize: chunking.chunkBytes,
      })
      isDone = true
      return fileId
    },
    get isDone() {
      return isDone
    },
    async abort() {
      const wasDone = isDone
      isDone = true
      feed?.bytes.destroy()
      if (wasDone) return
      // Cancelling an upload aborts its chunks; a single chunk ends with its stream.
      if (chunkIndex === undefined)
        await uploads
          .cancel(ownerId, uploadId)
          .catch((error: unknown) => ignore(error, 'the sweep removes an upload that could not be cancelled'))
      await Promise.allSettled(storing)
    },
  }
}
