import { ApiError } from '@sallyport/client/errors'
import { createSubject } from '@sallyport/client/observable'
import { expect, test } from 'vitest'
import { whenRefused } from './watch-transfers.ts'

const refusal = new ApiError({ status: 402, code: 'UPGRADE_REQUIRED', message: 'It has ended.' })

test('what a transfer is refused with is told once, however long it stays in the list, and again at the next try (ACC-05)', () => {
  const transfers = createSubject<readonly { state: { status: string; error?: Error } }[]>([])
  const told: ApiError[] = []
  const stop = whenRefused([transfers], (one) => told.push(one))

  transfers.set([{ state: { status: 'failed', error: refusal } }])
  transfers.set([{ state: { status: 'failed', error: refusal } }, { state: { status: 'waiting' } }])
  expect(told).toEqual([refusal])

  const again = new ApiError({ ...refusal, message: 'It has ended.' })
  transfers.set([{ state: { status: 'failed', error: again } }])
  expect(told).toEqual([refusal, again])

  stop()
  transfers.set([{ state: { status: 'failed', error: new ApiError({ ...refusal, message: '' }) } }])
  expect(told).toHaveLength(2)
})

test('a transfer that fails for another cause is not taken for a refusal', () => {
  const transfers = createSubject<readonly { state: { status: string; error?: Error } }[]>([])
  const told: ApiError[] = []
  whenRefused([transfers], (one) => told.push(one))

  transfers.set([{ state: { status: 'failed', error: new Error('The disk is full') } }])

  expect(told).toEqual([])
})
