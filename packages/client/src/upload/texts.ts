import { transferLimits } from '@sallyport/contract/limits'

const retries = transferLimits.retryDelaysMs.length

/** Chunks are numbered from 0, as in the server's list of missing ones. */
export const uploadTexts = {
  chunkFailed: (chunk: number) => `Chunk ${chunk} failed after ${retries} attempts`,
  chunkTimeout: (chunk: number) => `Timeout during chunk ${chunk} upload`,
  network: 'Network error during upload',
  status: (status: number) => `Upload failed: ${status}`,
  cancelled: 'Upload cancelled by user',
  suspended: 'The upload was interrupted',
  incomplete: 'The server did not answer in time when the upload was finished',
} as const
