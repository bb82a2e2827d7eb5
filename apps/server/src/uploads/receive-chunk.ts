import type { BlobStore, StoredObject } from '../blobs/blob-store.ts'
import { refuse } from '../errors.ts'
import { chunkLength, openUpload, storageLimit } from './open-upload.ts'
import { guardAgainstStall } from './stall-guard.ts'
import type { IncomingChunk, UploadParts } from './upload-parts.ts'
import type { UploadRecord } from './uploads.store.ts'

/** Takes one chunk in. When this has come to its end, the chunk survives a crash. */
export async function receiveChunk(parts: UploadParts, chunk: IncomingChunk, ended: AbortSignal): Promise<void> {
  const upload = await openUpload(parts, chunk)
  const length = chunkLength(upload.plan, chunk)
  const blobs = parts.volumes.of(upload.volume)
  const replaces = (await blobs.size(upload.id, chunk.index)) !== null
  // A chunk whose bytes are about to change must not count as received with the length and checksum of the old ones.
  if (await parts.store.chunks.has(upload.id, chunk.index)) await parts.store.chunks.forget(upload.id, chunk.index)
  const stored = await writeChunk(blobs, { upload, chunk, length, ended })
  // Without this a power cut could bring the old bytes back under the new checksum.
  if (replaces) await blobs.settle(upload.id)
  await enterChunk(parts, { upload, index: chunk.index, stored })
  parts.reached('after-chunk-row')
}

interface Writing {
  readonly upload: UploadRecord
  readonly chunk: IncomingChunk
  readonly length: { readonly least: number; readonly most: number }
  readonly ended: AbortSignal
}

async function writeChunk(blobs: BlobStore, { upload, chunk, length, ended }: Writing): Promise<StoredObject> {
  const guard = chunk.isWatched ? null : guardAgainstStall(() => void chunk.bytes.destroy())
  try {
    return await blobs.put({
      fileId: upload.id,
      index: chunk.index,
      bytes: chunk.bytes,
      length,
      signal: ended,
      onPiece: guard?.count,
    })
  } finally {
    guard?.stop()
  }
}

interface Entry {
  readonly upload: UploadRecord
  readonly index: number
  readonly stored: StoredObject
}

async function enterChunk(parts: UploadParts, { upload, index, stored }: Entry): Promise<void> {
  const chunk = { index, sealedBytes: stored.bytes, checksum: stored.checksum }
  const storageBytes = upload.plan ? 0 : await parts.storageLimitOf(upload.ownerId)
  const receipt = await parts.store.chunks.receive(upload.id, chunk, { now: parts.now(), storageBytes })
  if (receipt.outcome === 'received') return
  if (receipt.outcome === 'completed') throw refuse('UPLOAD_FINISHED')
  if (receipt.outcome === 'no-storage') throw storageLimit(receipt.takenBytes, storageBytes)
  await parts.volumes.remove(upload.volume, upload.id)
  throw refuse('UPLOAD_NOT_FOUND')
}
