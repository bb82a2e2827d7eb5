import { expect, test } from 'vitest'
import type { Transfer, TransferState } from './transfer-state.ts'
import { sumTransfers } from './transfer-sum.ts'

const transfer = (id: string, sizeBytes: number, state: TransferState): Transfer => ({
  id,
  fileName: id,
  sizeBytes,
  state,
})
const moving = (deliveredBytes: number, bytesPerSecond: number | null): TransferState => ({
  phase: 'moving',
  deliveredBytes,
  bytesPerSecond,
  secondsLeft: null,
})

test('sumTransfers: shares are weighted by bytes, and speeds are added', () => {
  const sum = sumTransfers([
    transfer('a', 100, moving(100, 10)),
    transfer('b', 300, moving(100, 5)),
    transfer('c', 0, { phase: 'waiting' }),
  ])

  expect(sum).toMatchObject({ active: 3, failed: 0, delivered: 0.5, bytesPerSecond: 15 })
})

test('sumTransfers: completed files still count, so that the share of a queue never decreases', () => {
  const sum = sumTransfers([transfer('a', 100, { phase: 'done' }), transfer('b', 100, { phase: 'waiting' })])

  expect(sum).toMatchObject({ active: 1, done: 1, delivered: 0.5, bytesPerSecond: null })
})

test('sumTransfers: failed and cancelled transfers are not active', () => {
  const sum = sumTransfers([
    transfer('a', 100, { phase: 'failed', message: 'x', deliveredBytes: 0 }),
    transfer('b', 100, { phase: 'cancelled' }),
  ])

  expect(sum).toEqual({ active: 0, failed: 1, done: 0, encrypted: 0, delivered: 0, bytesPerSecond: null })
})
