import { ApiError } from '@sallyport/client/errors'
import { createSubject } from '@sallyport/client/observable'
import { expect, test } from 'vitest'
import { onTransferRejected } from './watch-transfers.ts'

const apiError = new ApiError({ status: 402, code: 'UPGRADE_REQUIRED', serverMessage: 'It has ended.' })

test('ACC-05 onTransferRejected: reports an API error once while the transfer is listed, and again after a retry', () => {
  const transfers = createSubject<readonly { state: { status: string; error?: Error } }[]>([])
  const reported: ApiError[] = []
  const stop = onTransferRejected([transfers], (error) => reported.push(error))

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
  const transfers = createSubject<readonly { state: { status: string; error?: Error } }[]>([])
  const reported: ApiError[] = []
  onTransferRejected([transfers], (error) => reported.push(error))

  transfers.set([{ state: { status: 'failed', error: new Error('The disk is full') } }])

  expect(reported).toEqual([])
})
