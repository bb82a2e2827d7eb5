import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { ignore } from '@sallyport/contract/ignore'
import { recordOverheadBytes, uploadLimits } from '@sallyport/contract/limits'
import type { OpenUpload } from '@sallyport/contract/upload-shapes'
import { apiError } from '../../../errors.ts'
import { noFailpoint } from '../../../platform/storage/failpoints.ts'
import { singleChunkBytes, toRanges } from './chunks/chunk-plan.rules.ts'
import { receiveChunk } from './chunks/receive-chunk.ts'
import { completeUpload, type UploadSummary } from './complete-upload.ts'
import { readEnvelope } from './file-checks.ts'
import { planOf } from './open-upload.ts'
import type { IncomingChunk, UploadServiceDeps } from './upload-deps.ts'
import { createUploadLocks } from './upload-locks.ts'
import type { UploadRecord } from './uploads.store.ts'

type UploadServiceOptions = Omit<UploadServiceDeps, 'failpoint' | 'unsyncedUploads'> &
  Partial<Pick<UploadServiceDeps, 'failpoint'>>

interface WholeFileUpload extends Omit<IncomingChunk, 'uploadKey' | 'index' | 'chunkBytes'> {
  /** Aborted when the client disconnects. */
  readonly disconnectSignal: AbortSignal
}

/** Receives chunks and turns complete uploads into files. One service handles all accounts. */
export function createUploadService(options: UploadServiceOptions) {
  const deps: UploadServiceDeps = { failpoint: noFailpoint, unsyncedUploads: new Set(), ...options }
  const { store, volumes, now } = deps
  const locks = createUploadLocks()
  const lockKey = (ownerId: string, uploadKey: string): string => `${ownerId}/${uploadKey}`

  function receive(chunk: IncomingChunk): Promise<void> {
    return locks.runChunk(lockKey(chunk.ownerId, chunk.uploadKey), chunk.index, (signal) =>
      receiveChunk(deps, chunk, signal),
    )
  }

  function complete(ownerId: string, uploadKey: string, summary: UploadSummary): Promise<string> {
    return locks.runExclusive(lockKey(ownerId, uploadKey), () => completeUpload(deps, { ownerId, uploadKey, summary }))
  }

  /** Cancels an upload. If its first chunk has not arrived yet, that chunk will be rejected. */
  function cancel(ownerId: string, uploadKey: string): Promise<void> {
    return locks.abortAndRunExclusive(lockKey(ownerId, uploadKey), async () => {
      const isEarly = await store.cancelUnopened({ id: randomUUIDv7(), ownerId, uploadKey, now: now() })
      if (isEarly) throw apiError('UPLOAD_NOT_FOUND')
      await cancelOpened(ownerId, uploadKey)
    })
  }

  async function cancelOpened(ownerId: string, uploadKey: string): Promise<void> {
    const cancelled = await store.cancel(ownerId, uploadKey, now())
    if (cancelled) return volumes.remove(cancelled.volume, cancelled.id)
    const upload = await store.find(ownerId, uploadKey)
    throw apiError(upload && upload.completedAt !== null ? 'UPLOAD_FINISHED' : 'UPLOAD_NOT_FOUND')
  }

  async function describe(upload: UploadRecord): Promise<OpenUpload> {
    const chunks = await store.chunks.list(upload.id)
    const receivedBytes = chunks.reduce((sum, chunk) => sum + chunk.sealedBytes - recordOverheadBytes, 0)
    return {
      uploadId: upload.uploadKey,
      originalName: upload.sealedName,
      encryptedFileKey: upload.wrappedKey ?? '',
      size: upload.plan?.plainBytes ?? receivedBytes,
      chunkSize: upload.chunkBytes,
      totalChunks: upload.plan?.chunkCount ?? chunks.length,
      received: toRanges(chunks.map((chunk) => chunk.index)),
      expiresAt: upload.lastByteAt + (upload.sessionId === null ? uploadLimits.abandonedAfterMs : uploadLimits.leaseMs),
    }
  }

  async function findOpenRecord(ownerId: string, uploadKey: string): Promise<UploadRecord | null> {
    const upload = await store.find(ownerId, uploadKey)
    return upload && upload.completedAt === null && upload.cancelledAt === null ? upload : null
  }

  return {
    receive,
    complete,
    cancel,

    /** Resolves once nothing is being written, also by requests whose clients have disconnected. */
    whenIdle: locks.whenIdle,

    /**
     * The chunk plan of the file that a chunk belongs to; null if the sizes are unknown. Throws whatever `receive`
     * would throw.
     */
    planOf: (chunk: Pick<IncomingChunk, 'wrappedKey' | 'chunkBytes' | 'session'>) => planOf(deps, chunk),

    /** Receives a file in one request. Removes everything if it does not become a file. */
    async receiveWhole(file: WholeFileUpload): Promise<string> {
      const envelope = readEnvelope(file.wrappedKey)
      const chunkBytes = envelope ? singleChunkBytes(envelope.header) : undefined
      const uploadKey = randomUUID()
      try {
        await receive({ ...file, uploadKey, index: 0, chunkBytes })
        // A client that disconnected before the response will send the file again.
        if (file.disconnectSignal.aborted) throw apiError('BAD_REQUEST')
        return await complete(file.ownerId, uploadKey, {
          fileName: file.sealedName,
          encryptedFileKey: file.wrappedKey ?? '',
          totalChunks: 1,
          chunkSize: chunkBytes ?? (await receivedPlainBytes(file.ownerId, uploadKey)),
        })
      } catch (error) {
        const key = lockKey(file.ownerId, uploadKey)
        await locks
          .abortAndRunExclusive(key, () => cancelOpened(file.ownerId, uploadKey))
          .catch((error: unknown) => ignore(error, 'the sweep removes an upload that could not be cancelled'))
        throw error
      }
    },

    async listOpen(ownerId: string): Promise<OpenUpload[]> {
      return Promise.all((await store.listOpen(ownerId)).map(describe))
    },

    async findOpen(ownerId: string, uploadKey: string): Promise<OpenUpload> {
      const upload = await findOpenRecord(ownerId, uploadKey)
      if (!upload) throw apiError('UPLOAD_NOT_FOUND')
      return describe(upload)
    },

    isOpen: async (ownerId: string, uploadKey: string): Promise<boolean> =>
      (await findOpenRecord(ownerId, uploadKey)) !== null,
  }

  async function receivedPlainBytes(ownerId: string, uploadKey: string): Promise<number> {
    const upload = await store.find(ownerId, uploadKey)
    const [chunk] = upload ? await store.chunks.list(upload.id) : []
    return Math.max(1, (chunk?.sealedBytes ?? 0) - recordOverheadBytes)
  }
}

export type UploadService = ReturnType<typeof createUploadService>
