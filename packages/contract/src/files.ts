import * as z from 'zod/mini'
import { bytes, endpoint, nothing } from './endpoint.ts'
import { ByteCount, DecimalText, EpochMs, Id, SealedName, Succeeded, UploadId, WrappedFileKey } from './fields.ts'
import {
  ChunkArrived,
  ChunkHeaders,
  chunkErrors,
  completionErrors,
  OpenUpload,
  UploadCompleted,
  UploadToComplete,
  uploadErrors,
} from './upload-shapes.ts'

export const ListedFile = z.object({
  id: Id,
  /** The sealed name. */
  originalName: z.string(),
  /** Plain bytes. */
  size: ByteCount,
  createdAt: EpochMs,
  expiresAt: EpochMs,
  encryptedFileKey: z.string(),
  downloads: z.int(),
  shared: z.boolean(),
  /** Sealed under an account key that is gone for good: nobody opens it any more. */
  lost: z.optional(z.literal(true)),
})
export type ListedFile = z.output<typeof ListedFile>

/** What `manifest.json`, the first entry of the archive of all files, says of the entries behind it. */
export const SealedManifest = z.object({
  version: z.literal(1),
  files: z.array(
    z.extend(ListedFile, {
      /** The entry that holds its sealed bytes. */
      entry: z.string(),
      sealedSize: ByteCount,
      /** Plain bytes of every record but the last. */
      chunkSize: ByteCount,
    }),
  ),
})
export type SealedManifest = z.output<typeof SealedManifest>

export const sealedArchive = {
  /** The name it is saved under unless the server says another. */
  fileName: 'sallyport-files.zip',
  manifestEntry: 'manifest.json',
} as const

/** What may change about a file that is listed already. */
export const FileChange = z.partial(z.pick(ListedFile, { expiresAt: true, downloads: true, shared: true }))
export type FileChange = z.output<typeof FileChange>

const FileParams = z.object({ id: Id })
const Uploaded = z.object({ success: Succeeded, id: Id, fileId: Id, message: z.string() })

export const files = {
  list: endpoint({
    method: 'GET',
    path: '/api/files',
    summary: 'List my files that have not expired',
    access: 'account',
    reply: z.object({ success: Succeeded, files: z.array(ListedFile) }),
    errors: ['RATE_LIMITED'],
  }),
  key: endpoint({
    method: 'GET',
    path: '/api/file/:id/key',
    summary: 'The wrapped key of one of my files',
    access: 'account',
    params: FileParams,
    reply: z.object({ success: Succeeded, encryptedFileKey: z.string() }),
    errors: ['FILE_NOT_FOUND'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/file/:id',
    summary: 'Give one of my files another lifetime, counted from now',
    access: 'account',
    params: FileParams,
    body: z.object({ expirationMinutes: z.int() }),
    reply: z.object({ success: Succeeded, expiresAt: EpochMs }),
    errors: ['FILE_NOT_FOUND', 'EXPIRATION_NOT_OFFERED'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/file/:id',
    summary: 'Delete one of my files',
    access: 'account',
    params: FileParams,
    reply: z.object({ success: Succeeded }),
    errors: ['FILE_NOT_FOUND'],
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/files',
    summary: 'Delete all my files',
    access: 'account',
    reply: z.object({ success: Succeeded, deleted: z.int() }),
  }),
  removeLost: endpoint({
    method: 'DELETE',
    path: '/api/lost-files',
    summary: 'Delete those of my files that nobody opens any more',
    access: 'account',
    without: ['licence'],
    reply: z.object({ success: Succeeded, deleted: z.int() }),
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/download/:id',
    summary: 'The sealed bytes of one of my files, whole or a single range',
    access: 'account',
    params: FileParams,
    query: z.object({
      sw_decrypt: z.optional(z.string()),
      auth: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.object({
      /** The id of the key the client holds, `kid.` and 22 characters; never a key. */
      'x-encryption-key': z.optional(z.string()),
      range: z.optional(z.string()),
    }),
    reply: bytes,
    errors: ['FILE_NOT_FOUND', 'KEY_REPLACED', 'KEY_IN_REQUEST', 'RANGE_NOT_SATISFIABLE'],
  }),
  downloadAll: endpoint({
    method: 'GET',
    path: '/api/download-all',
    summary: 'All my files as one archive of sealed entries, with a manifest in front',
    access: 'account',
    reply: bytes,
  }),
  warmUp: endpoint({
    method: 'HEAD',
    path: '/api/upload',
    summary: 'Warm a connection before an upload',
    access: 'anyone',
    reply: nothing,
    errors: ['RATE_LIMITED'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/upload',
    summary: 'Upload a small file in one request',
    access: 'account',
    headers: z.object({
      'x-file-name': SealedName,
      'x-encrypted-file-key': WrappedFileKey,
      'x-file-expiration-minutes': z.optional(DecimalText),
      'content-length': z.optional(DecimalText),
    }),
    body: bytes,
    reply: Uploaded,
    errors: [...uploadErrors, 'CHUNK_LENGTH_WRONG', 'CHUNK_TOO_LONG'],
  }),
  uploadChunk: endpoint({
    method: 'POST',
    path: '/api/upload-chunk',
    summary: 'Upload one chunk; the first one opens the upload',
    access: 'account',
    headers: ChunkHeaders,
    body: bytes,
    reply: ChunkArrived,
    errors: chunkErrors,
  }),
  completeUpload: endpoint({
    method: 'POST',
    path: '/api/complete-chunk-upload',
    summary: 'Turn the chunks of an upload into a file; asking twice answers the same file',
    access: 'account',
    body: UploadToComplete,
    reply: UploadCompleted,
    errors: completionErrors,
  }),
  openUploads: endpoint({
    method: 'GET',
    path: '/api/uploads',
    summary: 'List my uploads that are not complete',
    access: 'account',
    reply: z.object({ success: Succeeded, uploads: z.array(OpenUpload) }),
  }),
  openUpload: endpoint({
    method: 'GET',
    path: '/api/uploads/:uploadId',
    summary: 'Which chunks of an upload have arrived',
    access: 'account',
    params: z.object({ uploadId: UploadId }),
    reply: z.extend(OpenUpload, { success: Succeeded }),
    errors: ['UPLOAD_NOT_FOUND'],
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/api/uploads/:uploadId',
    summary: 'Cancel an upload and give its room back',
    access: 'account',
    params: z.object({ uploadId: UploadId }),
    reply: z.object({ success: Succeeded }),
    errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_FINISHED'],
  }),
}
