import { ClientError } from '@sallyport/client/errors'
import type { JobState, TransferJob, TransferKind } from '@sallyport/transfers/engine/job'
import { expect, test } from 'vitest'
import { badgeOf, isRetryable, noteOf, sealStateOf } from './transfer-labels.ts'

const progress = { deliveredBytes: 0, bytesPerSecond: 0 }

const job = (kind: TransferKind, state: JobState): TransferJob => ({
  id: '1',
  kind,
  fileName: 'plan.pdf',
  sizeBytes: 100,
  state,
})

test('a row of each kind names what happens to the file', () => {
  const badges = (kind: TransferKind) =>
    (['preparing', 'transferring', 'saving'] as const).map((status) => badgeOf(job(kind, { status, ...progress })).text)

  expect(badges('upload').slice(0, 2)).toEqual(['Checking', 'Encrypting'])
  expect(badges('download')).toEqual(['Decrypting', 'Decrypting', 'Saving'])
  expect(badges('archive')).toEqual(badges('download'))
  expect(badges('receiving')).toEqual(['Receiving', 'Receiving', 'Receiving'])
})

test('FIL-02 an upload is Encrypted once all of it is sealed, also before it is sent', () => {
  const upload = job('upload', { status: 'transferring', ...progress, encryptedBytes: 100 })

  expect(badgeOf(upload).text).toBe('Encrypted')
  expect(sealStateOf(upload)).toBe('encrypting')
})

test('a failed transfer shows the sentence for its code, in the words of its kind', () => {
  const error = new ClientError('UPLOAD_CHUNK_FAILED', { index: 3 })

  expect(noteOf(job('upload', { status: 'failed', error }))?.text).toBe('Chunk 3 failed after 3 attempts')
  expect(noteOf(job('sending', { status: 'failed' }))?.text).toBe('File transfer failed')
})

test('FIL-09 a list restarts failed transfers, except for those of a portal, which need the other device', () => {
  const kinds: TransferKind[] = ['upload', 'download', 'save', 'archive', 'sending', 'receiving']

  const retryable = kinds.filter((kind) => isRetryable(job(kind, { status: 'failed' })))

  expect(retryable).toEqual(['upload', 'download', 'save', 'archive'])
  expect(isRetryable(job('upload', { status: 'cancelled' }))).toBe(false)
})

test('an archive names the file that paused it, and the files that were skipped', () => {
  const error = new ClientError('FILE_KEY_MISSING')
  const paused = noteOf(job('archive', { status: 'paused', fileName: 'a.txt', error, ...progress }))
  const done = noteOf(job('archive', { status: 'done', skipped: ['a.txt', 'b.txt'] }))

  expect(paused).toEqual({ text: 'a.txt: File encryption key not found', tone: 'brass', isUrgent: true })
  expect(done?.text).toBe('Saved without a.txt, b.txt')
})
