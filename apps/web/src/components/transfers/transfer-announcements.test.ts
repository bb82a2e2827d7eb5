import type { JobState, TransferKind } from '@sallyport/transfers/engine/job'
import { expect, test } from 'vitest'
import { createTransferAnnouncements } from './transfer-announcements.ts'

function createListener() {
  let now = 0
  const announced: string[] = []
  const announcements = createTransferAnnouncements(() => now)
  announcements.subscribe(() => announced.push(announcements.current()))
  return {
    announced,
    at(milliseconds: number, state: JobState, id = '1', kind: TransferKind = 'upload') {
      now = milliseconds
      announcements.update([{ id, kind, fileName: 'plan.pdf', sizeBytes: 1000, state }])
    },
  }
}

const movingState = (deliveredBytes: number): JobState => ({
  status: 'transferring',
  deliveredBytes,
  bytesPerSecond: 0,
})

test('transfer announcements: start, quarters and end are announced', () => {
  const { announced, at } = createListener()

  at(0, movingState(0))
  at(4000, movingState(100))
  at(11_000, movingState(260))
  at(22_000, movingState(510))
  at(23_000, movingState(520))
  at(40_000, { status: 'done' })

  expect(announced).toEqual(['Uploading plan.pdf', 'plan.pdf: 25 percent', 'plan.pdf: 50 percent', 'plan.pdf uploaded'])
})

test('transfer announcements: quarters within 10 s of the last announcement are skipped, but never the end', () => {
  const { announced, at } = createListener()

  at(0, movingState(0))
  at(1000, movingState(260))
  at(2000, movingState(510))
  at(3000, { status: 'done' })

  expect(announced).toEqual(['Uploading plan.pdf', 'plan.pdf uploaded'])
})

test('transfer announcements: failures and cancellations, which have banners, are not announced', () => {
  const { announced, at } = createListener()

  at(0, { status: 'failed', error: new Error('The network is down') })
  at(20_000, { status: 'cancelled' }, '2')

  expect(announced).toEqual([])
})

test('transfer announcements: of 20 or more transfers one is announced every 10 s', () => {
  let now = 0
  const announced: string[] = []
  const announcements = createTransferAnnouncements(() => now)
  announcements.subscribe(() => announced.push(announcements.current()))
  const update = (doneCount: number) =>
    announcements.update(
      Array.from({ length: 20 }, (_, index) => ({
        id: String(index),
        kind: 'upload',
        fileName: `${index}.txt`,
        sizeBytes: 1,
        state: { status: index < doneCount ? 'done' : 'waiting' },
      })),
    )

  for (; now < 12_000; now += 1000) update(now / 1000 + 1)

  expect(announced).toEqual(['0.txt uploaded', '10.txt uploaded'])
})

test('transfer announcements: a file for an app on this device is not announced as saved before that app is chosen', () => {
  const { announced, at } = createListener()

  at(0, movingState(0), '1', 'save')
  at(1000, { status: 'done' }, '1', 'save')

  expect(announced).toEqual(['Decrypting plan.pdf'])
})
