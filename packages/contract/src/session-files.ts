import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { Id, Succeeded, UploadId } from './fields.ts'
import {
  Pin,
  participantCall,
  Session,
  SessionCredentialHeaders,
  SessionCredentialQuery,
  SessionFile,
  sessionAccessErrors,
  sessionCall,
  sessionCredentialHeaders,
} from './session-shapes.ts'
import {
  ChunkHeaders,
  CompleteUploadBody,
  CompleteUploadReply,
  chunkErrors,
  completionErrors,
  OpenUpload,
  UploadChunkReply,
} from './upload-shapes.ts'

const FileParams = z.object({ fileId: Id })
const UploadParams = z.object({ id: Id, uploadId: UploadId })

/** The files of a session, and their uploads. */
export const sessionFiles = {
  list: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/files',
    summary: 'List the files of a session that have not expired, newest first',
    ...sessionCall,
    query: SessionCredentialQuery,
    reply: z.object({ success: Succeeded, files: z.array(SessionFile) }),
    errors: [...sessionAccessErrors, 'RATE_LIMITED'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/sessions/files/:fileId',
    summary: 'Get one file of a session and its session: the target of a copied link',
    ...participantCall,
    params: FileParams,
    query: SessionCredentialQuery,
    reply: z.object({ success: Succeeded, file: SessionFile, session: Session }),
    errors: [...sessionAccessErrors, 'FILE_NOT_FOUND'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/sessions/files/:fileId/download',
    summary: 'Download the sealed bytes of a file of a session, whole or a single range',
    ...participantCall,
    params: FileParams,
    query: z.extend(SessionCredentialQuery, {
      sw_decrypt: z.optional(z.string()),
      auth: z.optional(z.string()),
      filename: z.optional(z.string()),
      master_key: z.optional(z.string()),
    }),
    headers: z.extend(SessionCredentialHeaders, { range: z.optional(z.string()) }),
    reply: bytes,
    errors: [...sessionAccessErrors, 'FILE_NOT_FOUND', 'FILE_BYTES_LOST', 'KEY_IN_REQUEST', 'RANGE_NOT_SATISFIABLE'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/files/:fileId',
    summary: 'Delete a file of a session',
    ...participantCall,
    params: FileParams,
    query: SessionCredentialQuery,
    reply: z.object({ success: Succeeded }),
    errors: [...sessionAccessErrors, 'FILE_NOT_FOUND'],
  }),
  uploadChunk: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/upload-chunk',
    summary: 'Upload one chunk of a file for a session; the first one starts the upload',
    ...sessionCall,
    headers: z.extend(ChunkHeaders, sessionCredentialHeaders),
    body: bytes,
    reply: UploadChunkReply,
    errors: [...sessionAccessErrors, ...chunkErrors],
  }),
  completeUpload: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/complete-upload',
    summary: 'Turn the chunks of an upload into a file of the session; idempotent',
    ...sessionCall,
    body: z.extend(CompleteUploadBody, { session_pin: z.optional(Pin), sessionPin: z.optional(Pin) }),
    reply: CompleteUploadReply,
    errors: [...sessionAccessErrors, ...completionErrors],
  }),
  openUpload: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/uploads/:uploadId',
    summary: 'Get which chunks of an upload for a session have arrived',
    ...participantCall,
    params: UploadParams,
    reply: z.extend(OpenUpload, { success: Succeeded }),
    errors: [...sessionAccessErrors, 'UPLOAD_NOT_FOUND'],
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id/uploads/:uploadId',
    summary: 'Cancel an upload for a session and release its reserved storage',
    ...participantCall,
    params: UploadParams,
    reply: z.object({ success: Succeeded }),
    errors: [...sessionAccessErrors, 'UPLOAD_NOT_FOUND', 'UPLOAD_FINISHED'],
  }),
}
