import * as z from 'zod/mini'
import { ByteCount, DecimalText, EpochMs, Id, SealedName, Succeeded, UploadId, WrappedFileKey } from './fields.ts'

export const OpenUpload = z.object({
  uploadId: z.string(),
  originalName: z.string(),
  encryptedFileKey: z.string(),
  size: ByteCount,
  chunkSize: ByteCount,
  totalChunks: z.int(),
  /** Inclusive ranges of the chunks that have arrived. */
  received: z.array(z.tuple([z.int(), z.int()])),
  expiresAt: EpochMs,
})
export type OpenUpload = z.output<typeof OpenUpload>

/** The errors of every call that creates a file. */
export const uploadErrors = [
  'SEALED_NAME_REQUIRED',
  'ENVELOPE_INVALID',
  'ENVELOPE_KIND',
  'EXPIRATION_NOT_OFFERED',
  'STORAGE_LIMIT',
  'TOO_MANY_FILES',
  'TOO_MANY_UPLOADS',
  'NO_SPACE',
  'STORAGE_UNAVAILABLE',
] as const

/** The headers of a chunk. */
export const ChunkHeaders = z.object({
  'x-upload-id': UploadId,
  'x-chunk-index': DecimalText,
  'x-file-name': SealedName,
  'x-encrypted-file-key': z.optional(WrappedFileKey),
  /** Plain bytes of every chunk except the last. */
  'x-chunk-size': z.optional(DecimalText),
  'x-file-expiration-minutes': z.optional(DecimalText),
  'content-length': z.optional(DecimalText),
})
export type ChunkHeaders = z.output<typeof ChunkHeaders>

export const UploadChunkReply = z.object({ success: Succeeded, chunkIndex: z.int(), message: z.string() })
export const chunkErrors = [
  ...uploadErrors,
  'UPLOAD_MISMATCH',
  'UPLOAD_NOT_FOUND',
  'UPLOAD_FINISHED',
  'CHUNK_INDEX_INVALID',
  'CHUNK_LENGTH_WRONG',
  'CHUNK_TOO_LONG',
] as const

export const CompleteUploadBody = z.object({
  uploadId: UploadId,
  fileName: SealedName,
  encryptedFileKey: WrappedFileKey,
  totalChunks: z.int(),
  chunkSize: z.int(),
  fileExpirationMinutes: z.optional(z.int()),
})

export const CompleteUploadReply = z.object({ success: Succeeded, fileId: Id, message: z.string() })
export const completionErrors = [...uploadErrors, 'UPLOAD_NOT_FOUND', 'UPLOAD_MISMATCH', 'UPLOAD_INCOMPLETE'] as const
