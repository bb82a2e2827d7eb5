import { expect, test } from 'vitest'
import { banEnd } from './ban-duration.rules.ts'

test.each([
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['90s', 90_000],
])('a ban of %s ends %i ms from now', (duration, ms) => {
  expect(banEnd(duration, 1000)).toBe(1000 + ms)
})

test('a ban of none is lifted, and an invalid duration returns undefined', () => {
  expect(banEnd('none', 1000)).toBeNull()
  for (const odd of ['', 'h', '5', '-5h', '1d', '1h none']) expect(banEnd(odd, 1000)).toBeUndefined()
})
