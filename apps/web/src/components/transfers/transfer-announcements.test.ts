import { expect, test } from 'vitest'
import { createTransferAnnouncements } from './transfer-announcements.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

function createListener() {
  let now = 0
  const announced: string[] = []
  const announcements = createTransferAnnouncements(() => now)
  announcements.subscribe(() => announced.push(announcements.current()))
  return {
    announced,
    at(milliseconds: number, state: TransferState, id = '1') {
      now = milliseconds
      const transfer: Transfer = { id, fileName: 'plan.pdf', sizeBytes: 1000, state }
      announcements.update('upload', [transfer])
    },
  }
}

const movingState = (deliveredBytes: number): TransferState => ({
  phase: 'moving',
  deliveredBytes,
  bytesPerSecond: null,
  secondsLeft: null,
})

test('transfer announcements: start, quarters and end are announced', () => {
  const { announced, at } = createListener()

  at(0, movingState(0))
  at(4000, movingState(100))
  at(11_000, movingState(260))
  at(22_000, movingState(510))
  at(23_000, movingState(520))
  at(40_000, { phase: 'done' })

  expect(announced).toEqual(['Uploading plan.pdf', 'plan.pdf: 25 percent', 'plan.pdf: 50 percent', 'plan.pdf uploaded'])
})

test('transfer announcements: quarters within 10 s of the last announcement are skipped, but never the end', () => {
  const { announced, at } = createListener()

  at(0, movingState(0))
  at(1000, movingState(260))
  at(2000, movingState(510))
  at(3000, { phase: 'done' })

  expect(announced).toEqual(['Uploading plan.pdf', 'plan.pdf uploaded'])
})

test('transfer announcements: failures and cancellations, which have banners, are not announced', () => {
  const { announced, at } = createListener()

  at(0, { phase: 'failed', message: 'Network error during upload', deliveredBytes: 0 })
  at(20_000, { phase: 'cancelled' }, '2')

  expect(announced).toEqual([])
})

test('transfer announcements: of 20 or more transfers one is announced every 10 s', () => {
  let now = 0
  const announced: string[] = []
  const announcements = createTransferAnnouncements(() => now)
  announcements.subscribe(() => announced.push(announcements.current()))
  const update = (doneCount: number) =>
    announcements.update(
      'upload',
      Array.from({ length: 20 }, (_, index) => ({
        id: String(index),
        fileName: `${index}.txt`,
        sizeBytes: 1,
        state: { phase: index < doneCount ? 'done' : 'waiting' },
      })),
    )

  for (; now < 12_000; now += 1000) update(now / 1000 + 1)

  expect(announced).toEqual(['0.txt uploaded', '10.txt uploaded'])
})
