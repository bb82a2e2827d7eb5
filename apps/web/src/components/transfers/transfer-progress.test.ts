import type { JobState, TransferJob } from '@sallyport/transfers/engine/job'
import { expect, test } from 'vitest'
import { formatFigures, shareDelivered } from './transfer-progress.ts'
import { describeProgress, shareEncrypted, sumTransfers } from './transfer-total.ts'

const mebibyte = 1024 * 1024
const startedAt = 1_700_000_000_000
const later = startedAt + 3000

const job = (state: JobState, sizeBytes = 400 * mebibyte): TransferJob => ({
  id: 'one',
  kind: 'upload',
  fileName: 'plan.pdf',
  sizeBytes,
  state,
})

const transferring = { status: 'transferring', deliveredBytes: 100 * mebibyte, bytesPerSecond: 0, startedAt } as const

test('FIL-02 formatFigures: an active transfer shows percent, bytes, speed and time left', () => {
  const shown = job({ ...transferring, bytesPerSecond: 12.4 * mebibyte })

  expect(formatFigures(shown, later)).toEqual({
    percent: '25%',
    bytes: '100.00 MB of 400.00 MB',
    speed: '12.4 MB/s',
    timeLeft: 'about 30 s left',
  })
})

test('formatFigures: no time left is estimated in the first 3 seconds, and no speed before bytes were sent', () => {
  const figures = { percent: '25%', bytes: '100.00 MB of 400.00 MB' }

  expect(formatFigures(job({ ...transferring, bytesPerSecond: mebibyte }), later - 1)).toEqual({
    ...figures,
    speed: '1.0 MB/s',
  })
  expect(formatFigures(job(transferring), later)).toEqual(figures)
})

test('formatFigures: a waiting transfer shows its size and no percent', () => {
  expect(formatFigures(job({ status: 'waiting' }))).toEqual({ bytes: '400.00 MB' })
})

test('formatFigures: an archive shows no size until it is known', () => {
  expect(formatFigures({ ...job({ status: 'waiting' }, 0), kind: 'archive' })).toEqual({})
})

test('formatFigures: a failed transfer shows no figures but keeps its progress', () => {
  const failed = job({ status: 'failed', error: new Error(), deliveredBytes: 300 * mebibyte })

  expect(formatFigures(failed)).toEqual({})
  expect(shareDelivered(failed)).toBe(0.75)
})

test('shareDelivered: an empty file is at 0 until it is done, and more bytes than the file size count as 1', () => {
  expect(shareDelivered(job({ ...transferring, deliveredBytes: 0 }, 0))).toBe(0)
  expect(shareDelivered(job({ status: 'done' }, 0))).toBe(1)
  expect(shareDelivered(job({ ...transferring, deliveredBytes: 500 * mebibyte }))).toBe(1)
})

test('FIL-02 shareEncrypted: encrypted and sent bytes are separate, and an empty file counts as encrypted', () => {
  const uploading = job({ ...transferring, encryptedBytes: 320 * mebibyte })

  expect([shareEncrypted(uploading), shareDelivered(uploading)]).toEqual([0.8, 0.25])
  expect(shareEncrypted(job({ ...transferring, encryptedBytes: 0 }, 0))).toBe(1)
})

test('describeProgress: units are spelled out, and a paused transfer is described as paused', () => {
  const at = (bytesPerSecond: number) => describeProgress(job({ ...transferring, bytesPerSecond }), later)

  expect(at(12.4 * mebibyte)).toBe('25 percent, about 30 seconds left')
  expect(at(3 * mebibyte)).toBe('25 percent, about 2 minutes left')
  expect(at(0)).toBe('25 percent')
  expect(describeProgress(job({ ...transferring, status: 'paused' }), later)).toBe('25 percent, paused')
})

function sum(jobs: readonly TransferJob[], completed = { files: 0, bytes: 0 }) {
  return sumTransfers({ current: () => jobs, completed: () => completed }, later)
}

test('sumTransfers: shares are weighted by bytes, speeds are added, and the time left is that of all', () => {
  const total = sum([
    job({ ...transferring, deliveredBytes: 100, bytesPerSecond: 10 }, 100),
    job({ ...transferring, deliveredBytes: 100, bytesPerSecond: 5 }, 300),
    job({ status: 'waiting' }, 0),
  ])

  expect(total).toMatchObject({ active: 3, failed: 0, delivered: 0.5, bytesPerSecond: 15, secondsLeft: 200 / 15 })
})

test('sumTransfers: completed files count also after they have left the list, so that the share never decreases', () => {
  const waiting = job({ status: 'waiting' }, 100)

  expect(sum([waiting], { files: 1, bytes: 100 })).toMatchObject({
    active: 1,
    done: 1,
    delivered: 0.5,
    bytesPerSecond: 0,
  })
})

test('sumTransfers: failed and cancelled transfers are not active', () => {
  const total = sum([job({ status: 'failed', error: new Error() }), job({ status: 'cancelled' })])

  expect(total).toMatchObject({ active: 0, failed: 1, done: 0, sizeBytes: 0, delivered: 0, secondsLeft: null })
})
