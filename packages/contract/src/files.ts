import * as z from 'zod/mini'
import { anyAccount, bytes, endpoint, nothing } from './endpoint.ts'
import { ByteCount, DecimalText, EpochMs, Id, SealedName, Succeeded, UploadId, WrappedFileKey } from './fields.ts'
import {
  ChunkHeaders,
  CompleteUploadBody,
  CompleteUploadReply,
  chunkErrors,
  completionErrors,
  OpenUpload,
  UploadChunkReply,
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
  /** Sealed with an account key that is lost permanently: no one can open it. */
  lost: z.optional(z.literal(true)),
})
export type ListedFile = z.output<typeof ListedFile>

/** The contents of `manifest.json`, the first entry of the archive of all files, which describes the other entries. */
export const SealedManifest = z.object({
  version: z.literal(1),
  files: z.array(
    z.extend(ListedFile, {
      /** The name of the entry with its sealed bytes. */
      entry: z.string(),
      sealedSize: ByteCount,
      /** Plain bytes of every record except the last. */
      chunkSize: ByteCount,
    }),
  ),
})
export type SealedManifest = z.output<typeof SealedManifest>

export const sealedArchive = {
  /** The name it is saved under unless the server sends another. */
  fileName: 'sallyport-files.zip',
  manifestEntry: 'manifest.json',
} as const

/** The fields of a listed file that may change. */
export const FileChange = z.partial(z.pick(ListedFile, { expiresAt: true, downloads: true, shared: true }))
export type FileChange = z.output<typeof FileChange>

const FileParams = z.object({ id: Id })
const UploadReply = z.object({ success: Succeeded, id: Id, fileId: Id, message: z.string() })

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
    summary: 'Get the wrapped key of one of my files',
    access: 'account',
    params: FileParams,
    reply: z.object({ success: Succeeded, encryptedFileKey: z.string() }),
    errors: ['FILE_NOT_FOUND'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/file/:id',
    summary: 'Change the lifetime of one of my files, counted from now',
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
    summary: 'Delete those of my files that can no longer be opened',
    ...anyAccount,
    reply: z.object({ success: Succeeded, deleted: z.int() }),
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/download/:id',
    summary: 'Download the sealed bytes of one of my files, whole or a single range',
    access: 'account',
    params: FileParams,
    query: z.object({
      sw_decrypt: z.optional(z.string()),
      auth: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.object({
      /** The id of the client's key, `kid.` and 22 characters; never a key. */
      'x-encryption-key': z.optional(z.string()),
      range: z.optional(z.string()),
    }),
    reply: bytes,
    errors: ['FILE_NOT_FOUND', 'FILE_BYTES_LOST', 'KEY_REPLACED', 'KEY_IN_REQUEST', 'RANGE_NOT_SATISFIABLE'],
  }),
  downloadAll: endpoint({
    method: 'GET',
    path: '/api/download-all',
    summary: 'Download all my files as one archive of sealed entries that starts with a manifest',
    access: 'account',
    reply: bytes,
  }),
  warmUp: endpoint({
    method: 'HEAD',
    path: '/api/upload',
    summary: 'Open a connection before an upload',
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
    reply: UploadReply,
    errors: [...uploadErrors, 'CHUNK_LENGTH_WRONG', 'CHUNK_TOO_LONG'],
  }),
  uploadChunk: endpoint({
    method: 'POST',
    path: '/api/upload-chunk',
    summary: 'Upload one chunk; the first one starts the upload',
    access: 'account',
    headers: ChunkHeaders,
    body: bytes,
    reply: UploadChunkReply,
    errors: chunkErrors,
  }),
  completeUpload: endpoint({
    method: 'POST',
    path: '/api/complete-chunk-upload',
    summary: 'Turn the chunks of an upload into a file; idempotent',
    access: 'account',
    body: CompleteUploadBody,
    reply: CompleteUploadReply,
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
    summary: 'Get which chunks of an upload have arrived',
    access: 'account',
    params: z.object({ uploadId: UploadId }),
    reply: z.extend(OpenUpload, { success: Succeeded }),
    errors: ['UPLOAD_NOT_FOUND'],
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/api/uploads/:uploadId',
    summary: 'Cancel an upload and release its reserved storage',
    access: 'account',
    params: z.object({ uploadId: UploadId }),
    reply: z.object({ success: Succeeded }),
    errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_FINISHED'],
  }),
}
