import { expect, test } from 'vitest'
import { createTransferNews } from './transfer-news.ts'
import type { Transfer, TransferState } from './transfer-state.ts'

function listen() {
  let now = 0
  const said: string[] = []
  const news = createTransferNews(() => now)
  news.subscribe(() => said.push(news.current()))
  return {
    said,
    at(milliseconds: number, state: TransferState, id = '1') {
      now = milliseconds
      const transfer: Transfer = { id, fileName: 'plan.pdf', sizeBytes: 1000, state }
      news.follow('upload', [transfer])
    },
  }
}

const moved = (deliveredBytes: number): TransferState => ({
  phase: 'moving',
  deliveredBytes,
  bytesPerSecond: null,
  secondsLeft: null,
})

test('start, quarters and end are told, and nothing between', () => {
  const { said, at } = listen()

  at(0, moved(0))
  at(4000, moved(100))
  at(11_000, moved(260))
  at(22_000, moved(510))
  at(23_000, moved(520))
  at(40_000, { phase: 'done' })

  expect(said).toEqual([
    'Sealing and sending plan.pdf',
    'plan.pdf: 25 percent',
    'plan.pdf: 50 percent',
    'plan.pdf is sealed and sent',
  ])
})

test('quarters that follow within ten seconds are left out, the end never', () => {
  const { said, at } = listen()

  at(0, moved(0))
  at(1000, moved(260))
  at(2000, moved(510))
  at(3000, { phase: 'done' })

  expect(said).toEqual(['Sealing and sending plan.pdf', 'plan.pdf is sealed and sent'])
})

test('what has a banner of its own is not told twice', () => {
  const { said, at } = listen()

  at(0, { phase: 'failed', message: 'Network error during upload', deliveredBytes: 0 })
  at(20_000, { phase: 'cancelled' }, '2')

  expect(said).toEqual([])
})
