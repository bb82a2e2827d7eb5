import { expect, test } from 'vitest'
import { parseDays } from './parse-days.ts'

test('ADM-04 parseDays: accepts whole numbers from 1 to 3650', () => {
  expect(['1', '10', ' 30 ', '007', '3650'].map(parseDays)).toEqual([1, 10, 30, 7, 3650])
})

test('ADM-04 parseDays: returns null for anything else', () => {
  const texts = ['', ' ', 'x', '10 days', '0', '-1', '+1', '1.5', '1e2', '0x10', '3651', '99999999', '١٠', 'NaN']

  expect(texts.map(parseDays)).toEqual(texts.map(() => null))
})
