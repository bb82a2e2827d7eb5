import { files } from '@sallyport/contract/files'
import { sessionFiles } from '@sallyport/contract/session-files'
import type { FileKind, WrapType } from '@sallyport/crypto'
import type { Call, CallOptions } from '../call.ts'

/** Where a file is uploaded to. */
export type UploadPlace =
  | { readonly kind: 'account' }
  | { readonly kind: 'session'; readonly id: string; readonly participantToken: string }

export const accountPlace: UploadPlace = { kind: 'account' }

/** What an upload says of its kind, in its header and in its envelope. */
export const kindsOf = ({ kind }: UploadPlace): { readonly kind: FileKind; readonly wrapType: WrapType } =>
  kind === 'session' ? { kind: 'session', wrapType: 'session' } : { kind: 'personal', wrapType: 'account' }

/** Whether small files go there in a single request. */
export const mayBeSingle = ({ kind }: UploadPlace): boolean => kind === 'account'

interface Completion {
  readonly uploadId: string
  readonly fileName: string
  readonly encryptedFileKey: string
  readonly totalChunks: number
  readonly chunkSize: number
  readonly fileExpirationMinutes?: number
}

/** The call that takes chunks, and what it has to carry beside them. */
export const chunkCallOf = (place: UploadPlace) =>
  place.kind === 'session'
    ? { endpoint: sessionFiles.uploadChunk, params: { id: place.id }, headers: tokenOf(place) }
    : { endpoint: files.uploadChunk, params: {}, headers: {} }

/** Makes a file of the chunks; gives its id. */
export async function completeAt(
  call: Call,
  place: UploadPlace,
  body: Completion,
  options: CallOptions,
): Promise<string> {
  if (place.kind === 'account') return (await call(files.completeUpload, { body }, options)).fileId
  const sent = { params: { id: place.id }, headers: tokenOf(place), body }
  return (await call(sessionFiles.completeUpload, sent, options)).fileId
}

/** What has arrived of an upload. Rejects with `UPLOAD_NOT_FOUND` where none is open under this id. */
export async function openAt(call: Call, place: UploadPlace, uploadId: string, options: CallOptions) {
  if (place.kind === 'account') return call(files.openUpload, { params: { uploadId } }, options)
  const params = { id: place.id, uploadId }
  return call(sessionFiles.openUpload, { params, headers: tokenOf(place) }, options)
}

/** Gives the room of an upload back. Rejects with `UPLOAD_FINISHED` once it is a file. */
export async function cancelAt(call: Call, place: UploadPlace, uploadId: string, options: CallOptions): Promise<void> {
  if (place.kind === 'account') return void (await call(files.cancelUpload, { params: { uploadId } }, options))
  const params = { id: place.id, uploadId }
  await call(sessionFiles.cancelUpload, { params, headers: tokenOf(place) }, options)
}

export async function removeAt(call: Call, place: UploadPlace, fileId: string, options: CallOptions): Promise<void> {
  if (place.kind === 'account') return void (await call(files.remove, { params: { id: fileId } }, options))
  await call(sessionFiles.remove, { params: { fileId }, headers: tokenOf(place), query: {} }, options)
}

const tokenOf = ({ participantToken }: Extract<UploadPlace, { kind: 'session' }>) => ({
  'x-participant-token': participantToken,
})
