import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { recordOverheadBytes, uploadLimits } from '@sallyport/contract/limits'
import type { OpenUpload } from '@sallyport/contract/upload-shapes'
import { goOn } from '../blobs/fail-points.ts'
import { refuse } from '../errors.ts'
import { asRanges, singleChunkBytes } from './chunk-plan.rules.ts'
import { completeUpload, type UploadSummary } from './complete-upload.ts'
import { planOf } from './open-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { readEnvelope } from './sealed-form.ts'
import { createUploadGates } from './upload-gates.ts'
import type { IncomingChunk, UploadParts } from './upload-parts.ts'
import type { UploadRecord } from './uploads.store.ts'

type GivenParts = Omit<UploadParts, 'reached' | 'distrusted'> & Partial<Pick<UploadParts, 'reached'>>

interface WholeFile extends Omit<IncomingChunk, 'uploadKey' | 'index' | 'chunkBytes'> {
  /** Aborted when the sender has gone away. */
  readonly gone: AbortSignal
}

/** Receives files in chunks and turns them into files; one of these serves all accounts. */
export function createUploads(given: GivenParts) {
  const parts: UploadParts = { reached: goOn, distrusted: new Set(), ...given }
  const { store, volumes, now } = parts
  const gates = createUploadGates()
  const gateOf = (ownerId: string, uploadKey: string): string => `${ownerId}/${uploadKey}`

  function receive(chunk: IncomingChunk): Promise<void> {
    return gates.passChunk(gateOf(chunk.ownerId, chunk.uploadKey), chunk.index, (ended) =>
      receiveChunk(parts, chunk, ended),
    )
  }

  function complete(ownerId: string, uploadKey: string, summary: UploadSummary): Promise<string> {
    return gates.passAlone(gateOf(ownerId, uploadKey), () => completeUpload(parts, { ownerId, uploadKey, summary }))
  }

  /** Ends an upload, also one whose first chunk comes only after this: that chunk is refused. */
  function cancel(ownerId: string, uploadKey: string): Promise<void> {
    return gates.passEnding(gateOf(ownerId, uploadKey), async () => {
      const isEarly = await store.cancelUnopened({ id: randomUUIDv7(), ownerId, uploadKey, now: now() })
      if (isEarly) throw refuse('UPLOAD_NOT_FOUND')
      await cancelOpened(ownerId, uploadKey)
    })
  }

  async function cancelOpened(ownerId: string, uploadKey: string): Promise<void> {
    const cancelled = await store.cancel(ownerId, uploadKey, now())
    if (cancelled) return volumes.remove(cancelled.volume, cancelled.id)
    const upload = await store.find(ownerId, uploadKey)
    throw refuse(upload && upload.completedAt !== null ? 'UPLOAD_FINISHED' : 'UPLOAD_NOT_FOUND')
  }

  async function describe(upload: UploadRecord): Promise<OpenUpload> {
    const chunks = await store.chunks.list(upload.id)
    const arrivedBytes = chunks.reduce((sum, chunk) => sum + chunk.sealedBytes - recordOverheadBytes, 0)
    return {
      uploadId: upload.uploadKey,
      originalName: upload.sealedName,
      encryptedFileKey: upload.wrappedKey ?? '',
      size: upload.plan?.plainBytes ?? arrivedBytes,
      chunkSize: upload.chunkBytes,
      totalChunks: upload.plan?.chunkCount ?? chunks.length,
      received: asRanges(chunks.map((chunk) => chunk.index)),
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

    /** How the file is cut that a chunk is a part of; null when that is not told. Refuses what `receive` would refuse. */
    planOf: (chunk: Pick<IncomingChunk, 'wrappedKey' | 'chunkBytes' | 'session'>) => planOf(parts, chunk),

    /** Receives a file by one request. Nothing of it stays when it does not become a file. */
    async receiveWhole(file: WholeFile): Promise<string> {
      const envelope = readEnvelope(file.wrappedKey)
      const chunkBytes = envelope ? singleChunkBytes(envelope.header) : undefined
      const uploadKey = randomUUID()
      try {
        await receive({ ...file, uploadKey, index: 0, chunkBytes })
        // Whoever has not waited for the answer will send the file again.
        if (file.gone.aborted) throw refuse('BAD_REQUEST')
        return await complete(file.ownerId, uploadKey, {
          fileName: file.sealedName,
          encryptedFileKey: file.wrappedKey ?? '',
          totalChunks: 1,
          chunkSize: chunkBytes ?? (await arrivedPlainBytes(file.ownerId, uploadKey)),
        })
      } catch (error) {
        const key = gateOf(file.ownerId, uploadKey)
        await gates.passEnding(key, () => cancelOpened(file.ownerId, uploadKey)).catch(() => undefined)
        throw error
      }
    },

    async listOpen(ownerId: string): Promise<OpenUpload[]> {
      return Promise.all((await store.listOpen(ownerId)).map(describe))
    },

    async findOpen(ownerId: string, uploadKey: string): Promise<OpenUpload> {
      const upload = await findOpenRecord(ownerId, uploadKey)
      if (!upload) throw refuse('UPLOAD_NOT_FOUND')
      return describe(upload)
    },

    isOpen: async (ownerId: string, uploadKey: string): Promise<boolean> =>
      (await findOpenRecord(ownerId, uploadKey)) !== null,
  }

  async function arrivedPlainBytes(ownerId: string, uploadKey: string): Promise<number> {
    const upload = await store.find(ownerId, uploadKey)
    const [chunk] = upload ? await store.chunks.list(upload.id) : []
    return Math.max(1, (chunk?.sealedBytes ?? 0) - recordOverheadBytes)
  }
}

export type Uploads = ReturnType<typeof createUploads>
