import { files } from '@sallyport/contract/files'
import { sessionFiles } from '@sallyport/contract/session-files'
import type { FileKind, WrapType } from '@sallyport/crypto'

/** Where a file is uploaded to. */
export type UploadDestination =
  | { readonly kind: 'account' }
  | { readonly kind: 'session'; readonly id: string; readonly participantToken: string }

export const accountDestination: UploadDestination = { kind: 'account' }

/** The kind of the file header and the wrap type of the envelope for a destination. */
export const kindsOf = ({ kind }: UploadDestination): { readonly kind: FileKind; readonly wrapType: WrapType } =>
  kind === 'session' ? { kind: 'session', wrapType: 'session' } : { kind: 'personal', wrapType: 'account' }

/** Whether small files may be uploaded in a single request. */
export const allowsSingleRequest = ({ kind }: UploadDestination): boolean => kind === 'account'

/** The endpoint that accepts chunks, with the parameters and headers it needs. */
export const chunkCallFor = (destination: UploadDestination) =>
  destination.kind === 'session'
    ? { endpoint: sessionFiles.uploadChunk, params: { id: destination.id }, headers: tokenHeaders(destination) }
    : { endpoint: files.uploadChunk, params: {}, headers: {} }

export const tokenHeaders = ({ participantToken }: Extract<UploadDestination, { kind: 'session' }>) => ({
  'x-participant-token': participantToken,
})
