import type { UploadState } from '@sallyport/client/upload/upload-state'
import { expect, test } from 'vitest'
import { transferOfUpload } from './upload-transfers.ts'

const startedAt = 1_700_000_000_000

const sending = (over: Partial<Extract<UploadState, { status: 'sending' }>> = {}): UploadState => ({
  status: 'sending',
  phase: 'encrypting',
  isPaused: false,
  sealedBytes: 740,
  sentBytes: 460,
  totalBytes: 1000,
  bytesPerSecond: 54,
  startedAt,
  ...over,
})

const queued = (state: UploadState, size = 1000) => ({ id: '1', name: 'photos.zip', size, state, resumableId: null })

test('what is sealed is told apart from what has left (FIL-02)', () => {
  const { state } = transferOfUpload(queued(sending()), startedAt + 5000)

  expect(state).toMatchObject({ phase: 'moving', encrypted: 0.74, deliveredBytes: 460, bytesPerSecond: 54 })
})

test('no time left is guessed in the first three seconds', () => {
  const early = transferOfUpload(queued(sending()), startedAt + 2999)
  const later = transferOfUpload(queued(sending()), startedAt + 3000)

  expect(early.state).toMatchObject({ secondsLeft: null })
  expect(later.state).toMatchObject({ secondsLeft: 10 })
})

test('no speed is claimed before anything has moved', () => {
  const { state } = transferOfUpload(queued(sending({ sentBytes: 0, bytesPerSecond: 0 })), startedAt + 5000)

  expect(state).toMatchObject({ bytesPerSecond: null, secondsLeft: null })
})

test('an empty file counts as sealed', () => {
  const { state } = transferOfUpload(queued(sending({ totalBytes: 0, sealedBytes: 0, sentBytes: 0 }), 0), startedAt)

  expect(state).toMatchObject({ encrypted: 1 })
})

test('a failure keeps its own words', () => {
  const error = new Error('Chunk 3 failed after 3 attempts')

  const { state } = transferOfUpload(queued({ status: 'failed', error }), startedAt)

  expect(state).toMatchObject({ phase: 'failed', message: 'Chunk 3 failed after 3 attempts' })
})
