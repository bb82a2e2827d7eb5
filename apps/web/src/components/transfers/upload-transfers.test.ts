import { ClientError } from '@sallyport/client/errors'
import type { UploadState } from '@sallyport/transfers/engine/upload/upload-state'
import { expect, test } from 'vitest'
import { uploadToTransfer } from './upload-transfers.ts'

const startedAt = 1_700_000_000_000

const sending = (overrides: Partial<Extract<UploadState, { status: 'sending' }>> = {}): UploadState => ({
  status: 'sending',
  phase: 'encrypting',
  isPaused: false,
  sealedBytes: 740,
  sentBytes: 460,
  totalBytes: 1000,
  bytesPerSecond: 54,
  startedAt,
  ...overrides,
})

const queued = (state: UploadState, size = 1000) => ({ id: '1', name: 'photos.zip', size, state, resumableId: null })

test('FIL-02 uploadToTransfer: encrypted and sent bytes are separate', () => {
  const { state } = uploadToTransfer(queued(sending()), startedAt + 5000)

  expect(state).toMatchObject({ phase: 'moving', encrypted: 0.74, deliveredBytes: 460, bytesPerSecond: 54 })
})

test('uploadToTransfer: no time left is estimated in the first 3 seconds', () => {
  const early = uploadToTransfer(queued(sending()), startedAt + 2999)
  const later = uploadToTransfer(queued(sending()), startedAt + 3000)

  expect(early.state).toMatchObject({ secondsLeft: null })
  expect(later.state).toMatchObject({ secondsLeft: 10 })
})

test('uploadToTransfer: no speed is shown before bytes were sent', () => {
  const { state } = uploadToTransfer(queued(sending({ sentBytes: 0, bytesPerSecond: 0 })), startedAt + 5000)

  expect(state).toMatchObject({ bytesPerSecond: null, secondsLeft: null })
})

test('uploadToTransfer: an empty file counts as encrypted', () => {
  const { state } = uploadToTransfer(queued(sending({ totalBytes: 0, sealedBytes: 0, sentBytes: 0 }), 0), startedAt)

  expect(state).toMatchObject({ encrypted: 1 })
})

test('uploadToTransfer: a failure shows the sentence for its code', () => {
  const error = new ClientError('UPLOAD_CHUNK_FAILED', { index: 3 })

  const { state } = uploadToTransfer(queued({ status: 'failed', error }), startedAt)

  expect(state).toMatchObject({ phase: 'failed', message: 'Chunk 3 failed after 3 attempts' })
})
