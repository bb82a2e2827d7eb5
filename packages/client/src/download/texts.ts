import { shareHeaders } from '@sallyport/contract/sharing'

/** Records are numbered from 0, as in the format of a sealed file. */
export const downloadTexts = {
  status: (status: number) => `Download failed: ${status}`,
  network: 'Download failed due to network error',
  cancelled: 'Download was cancelled',
  damaged: (record: number) => `Failed to decrypt chunk ${record}`,
  noKey: 'File encryption key not found',
  notFound: 'File not found',
  noRecordSize: `Missing ${shareHeaders.recordBytes} header`,
  otherRecordSize: `The ${shareHeaders.recordBytes} header contradicts the key of this file`,
  timeout:
    'The download took longer than one hour and was stopped. This happens with very large files or slow connections. ' +
    'Try again on a faster connection, or ask for the file in smaller parts.',
} as const

export const shareTexts = {
  notFound: 'File not found or expired',
  noKey: 'No share-encrypted file key found. This share link may be corrupted or expired.',
  invalid: 'Invalid share link',
  incomplete:
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
  keyStatus: (status: number) => `Failed to get encrypted file key: ${status}`,
  noKeyToShare: 'No encrypted file key available for sharing',
  createStatus: (status: number) => `Failed to create zero-knowledge share link: ${status}`,
  tooMany: 'This file has too many links. Stop sharing it, then create a new link.',
  addressStatus: (status: number) => `Failed to generate share link: ${status}`,
} as const
