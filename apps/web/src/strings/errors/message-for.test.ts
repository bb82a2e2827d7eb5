import { ApiError, ClientError, type ClientErrorCode, NetworkError } from '@sallyport/client/errors'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { transferLimits } from '@sallyport/contract/limits'
import { expect, test } from 'vitest'
import { describeArchive } from './archive-errors.ts'
import { describeDownload, describeSharedDownload } from './download-errors.ts'
import { messageFor, UserFacingError } from './message-for.ts'
import { describeShare } from './share-errors.ts'
import { describeUpload } from './upload-errors.ts'

const client = (code: ClientErrorCode, index?: number) => new ClientError(code, index === undefined ? {} : { index })
const api = (status: number, code: ErrorCode | null = null, serverMessage = '') =>
  new ApiError({ status, code, serverMessage })

test('messages of errors are never shown, sentences for their codes are', () => {
  expect([
    messageFor(new Error('undefined is not a function'), 'It failed'),
    messageFor('thrown by a library', 'It failed'),
    messageFor(client('KEY_MODE_MISMATCH'), 'It failed'),
    messageFor(client('INVALID_RESPONSE'), 'It failed'),
    messageFor(new NetworkError(), 'It failed'),
    messageFor(new UserFacingError('Sign in first'), 'It failed'),
    messageFor(new UserFacingError(''), 'It failed'),
    messageFor(api(401, 'NO_TOKEN'), 'It failed'),
    messageFor(api(413, 'STORAGE_LIMIT', 'Storage limit reached: 1 GB of 1 GB used'), 'It failed'),
    messageFor(api(500, 'INTERNAL'), 'It failed'),
    messageFor(api(502), 'It failed'),
    messageFor(api(418, null, 'I am a teapot'), 'It failed'),
  ]).toEqual([
    'It failed',
    'It failed',
    'It failed',
    'Invalid response from server',
    'Can’t reach the server. Check your connection and try again.',
    'Sign in first',
    'It failed',
    'Please sign in',
    'Storage limit reached: 1 GB of 1 GB used',
    'It failed',
    'Invalid response from server',
    'I am a teapot',
  ])
})

test('each way in which an upload fails has its sentence', () => {
  expect([
    describeUpload(new NetworkError()),
    describeUpload(api(418)),
    describeUpload(api(418, null, 'I am a teapot')),
    describeUpload(client('UPLOAD_CHUNK_FAILED', 3)),
    describeUpload(client('UPLOAD_CHUNK_TIMEOUT', 0)),
    describeUpload(client('UPLOAD_NOT_CONFIRMED')),
    describeUpload(client('UPLOAD_INTERRUPTED')),
    describeUpload(client('FILE_CHANGED')),
    describeUpload(client('FILE_DIFFERS')),
    describeUpload(api(413, 'STORAGE_LIMIT', 'full')),
  ]).toEqual([
    'Network error during upload',
    'Upload failed: 418',
    'Upload failed: 418',
    `Chunk 3 failed after ${transferLimits.retryDelaysMs.length} attempts`,
    'Timeout during chunk 0 upload',
    'The server did not confirm the upload in time',
    'The upload was interrupted',
    'The file changed or became unreadable while it was being uploaded',
    'This is not the file that the upload was begun with',
    undefined,
  ])
})

test('each way in which a download fails has its sentence', () => {
  expect([
    describeDownload(new NetworkError()),
    describeDownload(api(404)),
    describeDownload(api(410)),
    describeDownload(client('RECORD_DAMAGED', 4)),
    describeDownload(client('RECORD_SIZE_MISSING')),
    describeDownload(client('RECORD_SIZE_MISMATCH')),
    describeDownload(client('FILE_KEY_MISSING')),
    describeArchive(client('FILE_KEY_MISSING')),
    describeArchive(api(500)),
  ]).toEqual([
    'Download failed due to network error',
    'File not found',
    'Download failed: 410',
    'Failed to decrypt chunk 4',
    'Missing X-Chunk-Size header',
    'The X-Chunk-Size header contradicts the key of this file',
    'File encryption key not found',
    'File encryption key not found',
    'Download failed: 500',
  ])
  expect(describeDownload(client('DOWNLOAD_TIMEOUT'))).toMatch(/very large files or slow connections/)
  expect(describeArchive(client('ARCHIVE_TIMEOUT'))).toContain('Try downloading the files individually.')
})

test('a replaced key is reported with the message of the contract, not the server’s', () => {
  expect(describeDownload(api(409, 'KEY_REPLACED', 'Saved. Nothing to do.'))).toBe(
    'The key of this file was replaced. Reload the list and try again.',
  )
})

test('each way in which a share link fails has its sentence', () => {
  expect([
    describeSharedDownload(api(404)),
    describeSharedDownload(api(500)),
    describeSharedDownload(api(409, 'SHARE_BUSY', 'anything')),
    describeSharedDownload(client('SHARE_LINK_INVALID')),
    describeSharedDownload(client('SHARE_LINK_INCOMPLETE')),
    describeSharedDownload(client('SHARE_KEY_MISSING')),
  ]).toEqual([
    'File not found or expired',
    'Download failed: 500',
    'Someone else is downloading this file right now. Please try again later.',
    'Invalid share link',
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
    'No share-encrypted file key found. This share link may be corrupted or expired.',
  ])
})

test('each step of sharing that fails is named with its status', () => {
  const failed = (shareStep: 'get-key' | 'create' | 'get-address', code: ErrorCode | null = null) =>
    describeShare(new ApiError({ status: 500, code, shareStep }))
  expect([
    failed('get-key'),
    failed('create'),
    failed('get-address'),
    failed('create', 'TOO_MANY_SHARES'),
    describeShare(client('NO_KEY_TO_SHARE')),
    describeShare(client('SHARE_ADDRESS_INVALID')),
    describeShare(api(500)),
  ]).toEqual([
    'Failed to get encrypted file key: 500',
    'Failed to create zero-knowledge share link: 500',
    'Failed to generate share link: 500',
    'This file has too many links. Stop sharing it, then create a new link.',
    'No encrypted file key available for sharing',
    'The server sent an address that isn’t its own, so no link was created. Contact the administrator of this server.',
    undefined,
  ])
})
