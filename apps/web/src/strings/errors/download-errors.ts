import { ApiError, NetworkError } from '@sallyport/client/errors'
import { clientErrors } from '@sallyport/contract/error-codes'
import { area } from '../area.ts'
import { type DescribeError, describeCode } from './message-for.ts'

export const downloadErrorStrings = area('downloadErrors', {
  status: (status: number) => `Download failed: ${status}`,
  network: 'Download failed due to network error',
  unexpected: 'Something went wrong on this device',
  inMemory:
    'Your browser doesn’t allow saving to disk here, so the file is held in memory while it downloads. Very large files may fail.',
  notFound: 'File not found',
  sharedNotFound: 'File not found or expired',
  /** Records are numbered from 0, as in the encrypted file format. */
  RECORD_DAMAGED: (record: number) => `Failed to decrypt chunk ${record}`,
  RECORD_SIZE_MISSING: 'Missing X-Chunk-Size header',
  RECORD_SIZE_MISMATCH: 'The X-Chunk-Size header contradicts the key of this file',
  FILE_KEY_MISSING: 'File encryption key not found',
  DOWNLOAD_TIMEOUT:
    'The download took longer than one hour and was stopped. This happens with very large files or slow connections. ' +
    'Try again on a faster connection, or ask for the file in smaller parts.',
  SHARE_KEY_MISSING: 'No share-encrypted file key found. This share link may be corrupted or expired.',
  SHARE_LINK_INVALID: 'Invalid share link',
  SHARE_LINK_INCOMPLETE:
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
})

const describe =
  (notFound: 'notFound' | 'sharedNotFound'): DescribeError =>
  (error) => {
    if (error instanceof NetworkError) return downloadErrorStrings.network
    return error instanceof ApiError ? describeApiError(error, notFound) : describeCode(downloadErrorStrings, error)
  }

/** Describes an error of the download of an own file, or of one of a session. */
export const describeDownload = describe('notFound')

/** Describes an error of a share link or of the download of its file. */
export const describeSharedDownload = describe('sharedNotFound')

/** Uses the contract's message and not the received one: the responder must not choose what the user reads. */
function describeApiError({ status, code }: ApiError, notFound: 'notFound' | 'sharedNotFound'): string {
  if (code !== null && Object.hasOwn(clientErrors, code)) return clientErrors[code as keyof typeof clientErrors].text
  return status === 404 ? downloadErrorStrings[notFound] : downloadErrorStrings.status(status)
}
