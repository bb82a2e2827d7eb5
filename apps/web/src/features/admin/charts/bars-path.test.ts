import { expect, test } from 'vitest'
import { barsPath } from './bars-path.ts'

test('barsPath: draws a bar for each day with events, and low ones visibly', () => {
  expect(barsPath({ counts: [50, 0, 1], top: 1000, from: 0, to: 3 })).toBe(
    'M0.11 100v-5.00h0.78v5.00zM2.11 100v-1.50h0.78v1.50z',
  )
  expect(barsPath({ counts: [5, 7, 10], top: 10, from: 2, to: 3 })).toBe('M2.11 100v-100.00h0.78v100.00z')
})

test('barsPath: the bars of a year have no gaps', () => {
  const counts = Array.from({ length: 365 }, () => 1)
  expect(barsPath({ counts, top: 1, from: 364, to: 365 })).toBe('M364.00 100v-100.00h1v100.00z')
})
