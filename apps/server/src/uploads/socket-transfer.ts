import { uploadSocketLimits } from '@sallyport/contract/limits'
import type { UploadSocketAnswer, UploadStart } from '@sallyport/contract/upload-socket'
import { refuse } from '../errors.ts'
import { type ChunkFeed, createChunkFeed } from './chunk-feed.ts'
import { cutByPlan, cutByRule } from './socket-cut.ts'
import type { Uploads } from './uploads.service.ts'

/** The other end of a socket, as far as an upload needs it. */
export interface SocketLine {
  tell(answer: UploadSocketAnswer): void
  /** Keeps the other side from sending, until it may go on. */
  wait(): void
  goOn(): void
}

interface Parts {
  readonly uploads: Uploads
  readonly ownerId: string
  readonly start: UploadStart
  readonly line: SocketLine
  /** Called when a chunk could not be kept. */
  readonly onFailure: (error: unknown) => void
}

/** Two chunks at once keep the disk busy; more would only lie in memory. */
const chunksAtOnce = 2

export interface SocketTransfer {
  readonly uploadId: string
  /** Takes sealed bytes in the order of the file. Throws a refusal when they are more than were announced. */
  take(bytes: Buffer): void
  /** Makes a file of what was taken, and answers its id. */
  complete(actualEncryptedSize: number): Promise<string>
  /** True once nothing is left to take and to keep: then the socket may carry another. */
  readonly isOver: boolean
  /** Ends what is under way; nothing stays of an upload that came over this socket alone. */
  abandon(): Promise<void>
}

/** Takes in one upload, or one chunk of it, that comes over a socket. Refuses a start that contradicts itself. */
export function beginTransfer({ uploads, ownerId, start, line, onFailure }: Parts): SocketTransfer {
  const { uploadId, chunkIndex } = start
  const wrappedKey = start.encryptedFileKey
  const plan = uploads.planOf({ wrappedKey, chunkBytes: start.chunkSize, session: null })
  const cut = plan ? cutByPlan(plan, start) : cutByRule(start)
  const keeping = new Set<Promise<void>>()
  let next = cut.firstIndex
  let feed: ChunkFeed | null = null
  let takenBytes = 0
  let toldBytes = 0
  let isOver = false

  const goOn = (): void => {
    if (keeping.size <= chunksAtOnce) line.goOn()
  }

  function openFeed(): ChunkFeed {
    const index = next
    const sealedBytes = cut.sealedBytes(index)
    if (sealedBytes === null) throw refuse('CHUNK_TOO_LONG')
    next += 1
    const opened = createChunkFeed(sealedBytes, { wait: line.wait, goOn })
    const kept = keep(index, opened).catch((error: unknown) => {
      if (!isOver) onFailure(error)
    })
    keeping.add(kept)
    void kept.finally(() => {
      keeping.delete(kept)
      goOn()
    })
    return opened
  }

  async function keep(index: number, { bytes }: ChunkFeed): Promise<void> {
    await uploads.receive({
      wrappedKey,
      chunkBytes: cut.chunkBytes,
      ownerId,
      session: null,
      uploadKey: uploadId,
      index,
      sealedName: start.fileName,
      expirationMinutes: start.fileExpirationMinutes,
      announcedBytes: undefined,
      bytes,
      isWatched: true,
    })
    if (isOver) return
    tellProgress()
    if (chunkIndex === undefined) return
    isOver = true
    line.tell({ type: 'upload-chunk-stored', uploadId, chunkIndex })
  }

  function tellProgress(): void {
    toldBytes = takenBytes
    const progress = cut.totalBytes === 0 ? 100 : Math.floor((takenBytes / cut.totalBytes) * 100)
    line.tell({ type: 'upload-progress', uploadId, progress, bytesRead: takenBytes, totalBytes: cut.totalBytes })
  }

  // Opened before any byte has come, so that a refusal comes before them too.
  feed = openFeed()
  tellProgress()

  return {
    uploadId,
    take(bytes) {
      if (takenBytes + bytes.length > cut.totalBytes) throw refuse('CHUNK_TOO_LONG')
      takenBytes += bytes.length
      for (let rest = bytes; rest.length > 0; ) {
        feed ??= openFeed()
        const piece = rest.subarray(0, feed.room)
        rest = rest.subarray(piece.length)
        feed.give(piece)
        if (feed.room === 0) feed = null
      }
      if (keeping.size > chunksAtOnce) line.wait()
      if (takenBytes - toldBytes >= uploadSocketLimits.tellEveryBytes || takenBytes === cut.totalBytes) tellProgress()
    },
    async complete(actualEncryptedSize) {
      if (chunkIndex !== undefined) throw refuse('UPLOAD_NOT_FOUND')
      if (actualEncryptedSize !== takenBytes) throw refuse('CHUNK_LENGTH_WRONG')
      feed?.end()
      feed = null
      await Promise.all(keeping)
      const fileId = await uploads.complete(ownerId, uploadId, {
        fileName: start.fileName,
        encryptedFileKey: wrappedKey,
        totalChunks: plan?.chunkCount ?? next,
        chunkSize: cut.chunkBytes,
      })
      isOver = true
      return fileId
    },
    get isOver() {
      return isOver
    },
    async abandon() {
      const wasOver = isOver
      isOver = true
      feed?.bytes.destroy()
      if (wasOver) return
      // The end of an upload also ends its chunks; a chunk by itself ends with its bytes.
      if (chunkIndex === undefined) await uploads.cancel(ownerId, uploadId).catch(() => undefined)
      await Promise.allSettled(keeping)
    },
  }
}
