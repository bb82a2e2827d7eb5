import { expect, test } from 'vitest'
import { sayAgo } from './moments.ts'

test('a moment is told by how long ago it was', () => {
  const minute = 60_000
  const ago = [0, minute - 1, minute, 90 * minute, 24 * 60 * minute, 72 * 60 * minute, -minute]

  expect(ago.map((time) => sayAgo(-time, 0))).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    '3 days ago',
    'just now',
  ])
})
