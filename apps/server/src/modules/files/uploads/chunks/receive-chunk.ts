import { apiError } from '../../../../errors.ts'
import type { BlobStore, StoredObject } from '../../../../platform/storage/blob-store.ts'
import { openUpload, requireChunkLength, storageLimitError } from '../open-upload.ts'
import { createStallGuard } from '../socket/stall-guard.ts'
import type { IncomingChunk, UploadServiceDeps } from '../upload-deps.ts'
import type { UploadRecord } from '../uploads.store.ts'

/** Receives one chunk. Once this resolves, the chunk survives a crash of the process. */
export async function receiveChunk(deps: UploadServiceDeps, chunk: IncomingChunk, signal: AbortSignal): Promise<void> {
  const upload = await openUpload(deps, chunk)
  const length = requireChunkLength(upload.plan, chunk)
  const blobs = deps.volumes.of(upload.volume)
  const isReplacement = (await blobs.size(upload.id, chunk.index)) !== null
  // A chunk whose bytes are about to change must not count as received with the old size and checksum.
  if (await deps.store.chunks.has(upload.id, chunk.index)) await deps.store.chunks.remove(upload.id, chunk.index)
  const stored = await writeChunk(blobs, { upload, chunk, length, signal })
  // Without this fsync, a power cut could restore the old bytes under the new checksum.
  if (isReplacement) await blobs.syncFolders(upload.id)
  await recordChunk(deps, { upload, index: chunk.index, stored })
  deps.failpoint('after-chunk-row')
}

interface WriteChunkInput {
  readonly upload: UploadRecord
  readonly chunk: IncomingChunk
  readonly length: { readonly least: number; readonly most: number }
  readonly signal: AbortSignal
}

async function writeChunk(blobs: BlobStore, { upload, chunk, length, signal }: WriteChunkInput): Promise<StoredObject> {
  const guard = chunk.hasStallGuard ? null : createStallGuard(() => void chunk.bytes.destroy())
  try {
    return await blobs.put({
      caller: upload.ownerId,
      fileId: upload.id,
      index: chunk.index,
      bytes: chunk.bytes,
      length,
      signal: signal,
      onPiece: guard?.count,
    })
  } finally {
    guard?.stop()
  }
}

interface RecordChunkInput {
  readonly upload: UploadRecord
  readonly index: number
  readonly stored: StoredObject
}

async function recordChunk(deps: UploadServiceDeps, { upload, index, stored }: RecordChunkInput): Promise<void> {
  const chunk = { index, sealedBytes: stored.bytes, checksum: stored.checksum }
  const storageBytes = upload.plan ? 0 : await deps.storageLimitOf(upload.ownerId)
  const result = await deps.store.chunks.receive(upload.id, chunk, { now: deps.now(), storageBytes })
  if (result.outcome === 'received') return
  if (result.outcome === 'completed') throw apiError('UPLOAD_FINISHED')
  if (result.outcome === 'no-storage') throw storageLimitError(result.occupiedBytes, storageBytes)
  await deps.volumes.remove(upload.volume, upload.id)
  throw apiError('UPLOAD_NOT_FOUND')
}
