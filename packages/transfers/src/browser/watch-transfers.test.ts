import { ApiError } from '@sallyport/client/errors'
import { createSubject } from '@sallyport/client/observable'
import { expect, test } from 'vitest'
import type { JobState } from '../engine/job.ts'
import type { QueuedUpload } from '../engine/upload/upload-queue.ts'
import { observeUploads, onTransferRejected } from './watch-transfers.ts'

const apiError = new ApiError({ status: 402, code: 'UPGRADE_REQUIRED', serverMessage: 'It has ended.' })

test('ACC-05 onTransferRejected: reports an API error once while the transfer is listed, and again after a retry', () => {
  const transfers = createSubject<readonly { readonly state: JobState }[]>([])
  const reported: ApiError[] = []
  const stop = onTransferRejected(transfers, (error) => reported.push(error))

  transfers.set([{ state: { status: 'failed', error: apiError } }])
  transfers.set([{ state: { status: 'failed', error: apiError } }, { state: { status: 'waiting' } }])
  expect(reported).toEqual([apiError])

  const secondError = new ApiError({ ...apiError, serverMessage: 'It has ended.' })
  transfers.set([{ state: { status: 'failed', error: secondError } }])
  expect(reported).toEqual([apiError, secondError])

  stop()
  transfers.set([{ state: { status: 'failed', error: new ApiError({ ...apiError, serverMessage: '' }) } }])
  expect(reported).toHaveLength(2)
})

test('onTransferRejected: ignores failures that are not API errors', () => {
  const transfers = createSubject<readonly { readonly state: JobState }[]>([])
  const reported: ApiError[] = []
  onTransferRejected(transfers, (error) => reported.push(error))

  transfers.set([{ state: { status: 'failed', error: new Error('The disk is full') } }])

  expect(reported).toEqual([])
})

test('observeUploads: reports each completed upload once, and an incomplete one that leaves the queue', () => {
  const upload = (id: string, state: QueuedUpload['state']): QueuedUpload => ({
    id,
    name: id,
    size: 1,
    state,
    resumableId: null,
  })
  const done = (id: string) => upload(id, { status: 'done', fileId: `file ${id}` })
  const uploads = createSubject<readonly QueuedUpload[]>([])
  const reports: string[] = []
  observeUploads(uploads, {
    onUploaded: (fileIds) => reports.push(fileIds.join()),
    onDiscarded: () => reports.push('discarded'),
  })

  uploads.set([done('a'), done('b'), upload('c', { status: 'waiting' })])
  uploads.set([done('b'), upload('c', { status: 'cancelled' })])
  expect(reports).toEqual(['file a,file b'])

  uploads.set([done('b')])
  expect(reports).toEqual(['file a,file b', 'discarded'])
})
