import { expect, test } from 'vitest'
import { formatGoneIn } from './durations.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

test('CHT-01 formatGoneIn: formats the remaining time, in seconds during the last minute', () => {
  const formatted = [
    5 * minute,
    4 * minute + 1,
    minute + 1,
    minute,
    59 * second + 1,
    1,
    0,
    -5,
    59 * minute,
    60 * minute,
    5 * hour + 10 * minute,
    47 * hour + 60 * minute,
    7 * 24 * hour - minute,
  ].map((left) => formatGoneIn(1_000_000 + left, 1_000_000))

  expect(formatted).toEqual([
    'Gone in 5 min',
    'Gone in 5 min',
    'Gone in 2 min',
    'Gone in 60 s',
    'Gone in 60 s',
    'Gone in 1 s',
    'Gone in 0 s',
    'Gone in 0 s',
    'Gone in 59 min',
    'Gone in 1 h',
    'Gone in 5 h 10 min',
    'Gone in 2 d',
    'Gone in 6 d 23 h',
  ])
})
