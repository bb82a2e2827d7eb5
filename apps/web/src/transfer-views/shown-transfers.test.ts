import { expect, test } from 'vitest'
import { shownTransfers } from './shown-transfers.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

const moving: TransferState = { phase: 'moving', deliveredBytes: 1, bytesPerSecond: null, secondsLeft: null }
const failed: TransferState = { phase: 'failed', message: 'x', deliveredBytes: 0 }

const transfers = (...states: readonly TransferState[]): Transfer[] =>
  states.map((state, at) => ({ id: String(at), fileName: `${at}.bin`, sizeBytes: 2, state }))
const many = (count: number, phase: 'waiting' | 'done') =>
  Array.from({ length: count }, (): TransferState => ({ phase }))

test('a short queue is shown whole', () => {
  const queue = transfers({ phase: 'done' }, moving, ...many(3, 'waiting'))

  expect(shownTransfers(queue, 4)).toEqual({ rows: queue, waiting: [] })
})

test('of a long queue the first that wait are shown, and the others are counted', () => {
  const queue = transfers(moving, ...many(500, 'waiting'))

  const { rows, waiting } = shownTransfers(queue, 4)

  expect(rows.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
  expect(waiting).toHaveLength(496)
})

test('a single one more that waits is shown in its own words', () => {
  const { rows, waiting } = shownTransfers(transfers(...many(5, 'waiting')), 4)

  expect(rows).toHaveLength(5)
  expect(waiting).toEqual([])
})

test('what failed always stays, of what is done only the last three', () => {
  const { rows } = shownTransfers(transfers(failed, ...many(40, 'done'), moving), 4)

  expect(rows.map(({ id }) => id)).toEqual(['0', '38', '39', '40', '41'])
})
