import type { JobState, TransferJob } from '@sallyport/transfers/engine/job'
import { expect, test } from 'vitest'
import { shownTransfers } from './shown-transfers.ts'

const first = { moreWaiting: 0, completedFiles: 0, now: 10_000 }
const noneWaiting = { files: 0, bytes: 0 }
const moving: JobState = { status: 'transferring', deliveredBytes: 1, bytesPerSecond: 0 }
const failed: JobState = { status: 'failed', error: new Error('x') }

const transfers = (...states: readonly JobState[]): TransferJob[] =>
  states.map((state, index) => ({ id: String(index), kind: 'upload', fileName: `${index}.bin`, sizeBytes: 2, state }))
const many = (count: number, status: 'waiting' | 'done') => Array.from({ length: count }, (): JobState => ({ status }))

test('shownTransfers: a short queue is shown completely', () => {
  const queue = transfers({ status: 'done' }, moving, ...many(3, 'waiting'))

  expect(shownTransfers(queue, first)).toEqual({ rows: queue, waiting: noneWaiting })
})

test('shownTransfers: of a longer queue the first 4 waiting transfers are shown and the others counted', () => {
  const queue = transfers(moving, ...many(15, 'waiting'))

  const { rows, waiting } = shownTransfers(queue, first)

  expect(rows.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
  expect(waiting).toEqual({ files: 11, bytes: 22 })
})

test('shownTransfers: a single hidden transfer is shown as a row instead', () => {
  const { rows, waiting } = shownTransfers(transfers(...many(5, 'waiting')), first)

  expect(rows).toHaveLength(5)
  expect(waiting).toEqual(noneWaiting)
})

test('shownTransfers: failed transfers always stay, and only the last 3 completed ones', () => {
  const { rows } = shownTransfers(transfers(failed, ...many(40, 'done'), moving), first)

  expect(rows.map(({ id }) => id)).toEqual(['0', '38', '39', '40', '41'])
})

test('shownTransfers: of 500 transfers only the failed ones and those that take longer than 1 s are shown', () => {
  const quick: JobState = { ...moving, startedAt: 9001 }
  const slow: JobState = { ...moving, startedAt: 9000 }
  const queue = transfers({ status: 'done' }, failed, quick, slow, ...many(500, 'waiting'))

  const { rows, waiting } = shownTransfers(queue, first)
  const more = shownTransfers(queue, { ...first, moreWaiting: 12 })

  expect(rows.map(({ id }) => id)).toEqual(['1', '3'])
  expect(waiting).toEqual({ files: 500, bytes: 1000 })
  expect([more.rows.length, more.waiting.files]).toEqual([14, 488])
})

test('shownTransfers: rows of small files do not flash by at the end of a queue that was long', () => {
  const quick: JobState = { ...moving, startedAt: 9001 }
  const queue = transfers({ status: 'done' }, quick, quick, { status: 'waiting' })

  const { rows, waiting } = shownTransfers(queue, { ...first, completedFiles: 38 })

  expect([rows.length, waiting.files]).toEqual([0, 1])
})
