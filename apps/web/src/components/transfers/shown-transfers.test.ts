import { expect, test } from 'vitest'
import { shownTransfers } from './shown-transfers.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

const moving: TransferState = { phase: 'moving', deliveredBytes: 1, bytesPerSecond: null, secondsLeft: null }
const failed: TransferState = { phase: 'failed', message: 'x', deliveredBytes: 0 }

const transfers = (...states: readonly TransferState[]): Transfer[] =>
  states.map((state, index) => ({ id: String(index), fileName: `${index}.bin`, sizeBytes: 2, state }))
const many = (count: number, phase: 'waiting' | 'done') =>
  Array.from({ length: count }, (): TransferState => ({ phase }))

test('shownTransfers: a short queue is shown completely', () => {
  const queue = transfers({ phase: 'done' }, moving, ...many(3, 'waiting'))

  expect(shownTransfers(queue, 4)).toEqual({ rows: queue, waiting: [] })
})

test('shownTransfers: of a long queue the first 4 waiting transfers are shown and the others counted', () => {
  const queue = transfers(moving, ...many(500, 'waiting'))

  const { rows, waiting } = shownTransfers(queue, 4)

  expect(rows.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
  expect(waiting).toHaveLength(496)
})

test('shownTransfers: a single hidden transfer is shown as a row instead', () => {
  const { rows, waiting } = shownTransfers(transfers(...many(5, 'waiting')), 4)

  expect(rows).toHaveLength(5)
  expect(waiting).toEqual([])
})

test('shownTransfers: failed transfers always stay, and only the last 3 completed ones', () => {
  const { rows } = shownTransfers(transfers(failed, ...many(40, 'done'), moving), 4)

  expect(rows.map(({ id }) => id)).toEqual(['0', '38', '39', '40', '41'])
})
