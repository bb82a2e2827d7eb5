import { expect, test } from 'vitest'
import { parseRange, toObjectParts } from './byte-range.rules.ts'

const part = (start: number, end: number, isTail = false) => ({ kind: 'part', range: { start, end }, isTail })

test.each([
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-', part(0, 99)],
  ['bytes=10-19', part(10, 19)],
  ['bytes=99-', part(99, 99)],
  ['bytes=90-1000', part(90, 99)],
  ['bytes=-1', part(99, 99, true)],
  ['bytes=-1000', part(0, 99, true)],
])('T154 parseRange: %s of 100 bytes is a part', (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
  'T154 parseRange: %s of 100 bytes is not satisfiable',
  (header) => {
    expect(parseRange(header, 100)).toEqual({ kind: 'none' })
  },
)

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'bytes=5-4',
  'bytes=0-0,2-2',
  `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at + 5}`).join(',')}`,
  'items=0-1',
  'bytes=a-b',
  'bytes=1.5-2',
  'bytes=0x1-2',
  'bytes=-9999999999999999999',
])('T154 parseRange: %s selects the whole body', (header) => {
  expect(parseRange(header, 100)).toEqual({ kind: 'whole' })
})

test('toObjectParts: splits a range at object boundaries', () => {
  const sizes = { sealedBytes: 25, objectBytes: 10 }

  expect(toObjectParts(sizes, { start: 0, end: 24 })).toEqual([
    { index: 0, start: 0, end: 9 },
    { index: 1, start: 0, end: 9 },
    { index: 2, start: 0, end: 4 },
  ])
  expect(toObjectParts(sizes, { start: 9, end: 10 })).toEqual([
    { index: 0, start: 9, end: 9 },
    { index: 1, start: 0, end: 0 },
  ])
  expect(toObjectParts(sizes, { start: 12, end: 15 })).toEqual([{ index: 1, start: 2, end: 5 }])
})
