import { expect, test } from 'vitest'
import { changeText } from './change-text.ts'

test.each([
  [112, 100, '12% more than the 30 days before, without today'],
  [88, 100, '12% less than the 30 days before, without today'],
  [0, 5, '100% less than the 30 days before, without today'],
  [0, 0, 'The same as in the 30 days before, without today'],
  [7, 7, 'The same as in the 30 days before, without today'],
  [1001, 1000, 'About the same as in the 30 days before, without today'],
  [5, 0, 'None in the 30 days before, without today'],
  [49_999, 1, '49,999 times the 30 days before, without today'],
])('changeText: %i after %i', (sum, previous, text) => {
  expect(changeText(sum, previous, 30)).toBe(text)
})
