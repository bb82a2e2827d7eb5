import { expect, test } from 'vitest'
import { isActive, type JobStatus, mayFollow } from './job.ts'
import { archiveJobState, jobOfUpload } from './job-lists.ts'
import type { UploadState } from './upload/upload-progress.ts'

const statuses: readonly JobStatus[] = [
  'waiting',
  'preparing',
  'transferring',
  'saving',
  'paused',
  'done',
  'failed',
  'cancelled',
]
const afterWaiting = statuses.filter((status) => status !== 'waiting')
const followersOf = (status: JobStatus) => statuses.filter((next) => mayFollow(status, next))

test('job states: a waiting job may start or end, and one that has moved every byte may only end', () => {
  expect(followersOf('waiting')).toEqual(afterWaiting)
  expect(followersOf('saving')).toEqual(['saving', 'done', 'failed', 'cancelled'])
})

test('job states: a running job may report progress, pause, or end, and waits only after a retry', () => {
  for (const status of ['preparing', 'transferring', 'paused'] as const)
    expect(followersOf(status)).toEqual(afterWaiting)
})

test('job states: nothing follows done, and only a retry follows a failure or a cancellation', () => {
  expect(followersOf('done')).toEqual([])
  expect(followersOf('failed')).toEqual(['waiting'])
  expect(followersOf('cancelled')).toEqual(['waiting'])
})

test('job states: an upload that is compared with what was sent before is preparing, and one without a server paused', () => {
  const sending = {
    status: 'sending',
    sealedBytes: 3,
    sentBytes: 2,
    totalBytes: 4,
    bytesPerSecond: 1,
    startedAt: 9,
  } as const
  const progress = { encryptedBytes: 3, deliveredBytes: 2, bytesPerSecond: 1, startedAt: 9 }

  const stateOf = (state: UploadState) => jobOfUpload({ id: '1', name: 'a', size: 4, state, resumableId: null }).state
  expect(stateOf({ ...sending, phase: 'checking', isPaused: false })).toEqual({ status: 'preparing', ...progress })
  expect(stateOf({ ...sending, phase: 'encrypted', isPaused: false })).toEqual({ status: 'transferring', ...progress })
  expect(stateOf({ ...sending, phase: 'encrypting', isPaused: true })).toEqual({ status: 'paused', ...progress })
})

test('job states: an archive whose file failed is paused with the error of that file', () => {
  const progress = {
    isPaused: false,
    receivedBytes: 1,
    totalBytes: 2,
    bytesPerSecond: 3,
    startedAt: 4,
    storage: 'disk',
  } as const
  const error = new Error('damaged')

  expect(archiveJobState({ status: 'stuck', fileName: 'a.txt', error, ...progress })).toMatchObject({
    status: 'paused',
    fileName: 'a.txt',
    error,
    deliveredBytes: 1,
  })
})

test('jobOfUpload: an upload that has not changed is the same job, named without its folders', () => {
  const upload = { id: '1', name: 'site/plan.pdf', size: 5, state: { status: 'waiting' }, resumableId: null } as const

  expect(jobOfUpload(upload)).toBe(jobOfUpload(upload))
  expect(jobOfUpload(upload)).toMatchObject({ kind: 'upload', fileName: 'plan.pdf', sizeBytes: 5 })
  expect(isActive(jobOfUpload(upload))).toBe(true)
})
