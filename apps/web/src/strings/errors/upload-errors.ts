import { ApiError, NetworkError } from '@sallyport/client/errors'
import { area } from '../area.ts'
import { type DescribeError, describeCode } from './message-for.ts'

/** Chunks are numbered from 0, as in the server's list of missing ones. */
export const uploadErrorStrings = area('uploadErrors', {
  network: 'Network error during upload',
  status: (status: number) => `Upload failed: ${status}`,
  UPLOAD_CHUNK_FAILED: (chunk: number) => `Chunk ${chunk} failed after 3 attempts`,
  UPLOAD_CHUNK_TIMEOUT: (chunk: number) => `Timeout during chunk ${chunk} upload`,
  UPLOAD_NOT_CONFIRMED: 'The server did not confirm the upload in time',
  UPLOAD_BODY_REJECTED:
    'A proxy between you and the server rejects uploads, even in the smallest parts. Try another network, or ask the server’s administrator to allow requests of 1 MB.',
  STORAGE_FULL: 'Your browser doesn’t have enough space for this upload. Free up some space and try again.',
  UPLOAD_INTERRUPTED: 'The upload was interrupted',
  FILE_CHANGED: 'The file changed or became unreadable while it was being uploaded',
  FILE_DIFFERS: 'This is not the file that the upload was begun with',
})

/** Describes an error of an upload. Of a server's error, its own sentence is shown. */
export const describeUpload: DescribeError = (error) => {
  if (error instanceof NetworkError) return uploadErrorStrings.network
  const isUnparsable = error instanceof ApiError && error.code === null && error.status >= 300
  return isUnparsable ? uploadErrorStrings.status(error.status) : describeCode(uploadErrorStrings, error)
}
