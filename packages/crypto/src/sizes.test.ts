import { expect, test } from 'vitest'
import { recordCountOf, recordPlainBytes, recordStart, sealedBytes, sealedRecordBytes, sealedSizeOf } from './sizes.ts'

const recordBytes = 16
const sizesOf = (plainBytes: number) => ({
  recordBytes,
  plainBytes,
  recordCount: recordCountOf(plainBytes, recordBytes),
})

test.each([
  [0, 1, 0, 28],
  [1, 1, 1, 29],
  [15, 1, 15, 43],
  [16, 1, 16, 44],
  [17, 2, 1, 73],
  [31, 2, 15, 87],
  [32, 2, 16, 88],
  [33, 3, 1, 117],
])('%i bytes have %i records, the last of %i, and %i sealed bytes', (plainBytes, recordCount, lastBytes, sealed) => {
  const sizes = sizesOf(plainBytes)

  expect(sizes.recordCount).toBe(recordCount)
  expect(recordPlainBytes(sizes, recordCount - 1)).toBe(lastBytes)
  expect(sealedRecordBytes(sizes, recordCount - 1)).toBe(lastBytes + 28)
  expect(sealedBytes(sizes)).toBe(sealed)
  expect(sealedSizeOf(plainBytes, recordBytes)).toBe(sealed)
  expect(recordStart(sizes, recordCount - 1) + lastBytes + 28).toBe(sealed)
})

test('the sealed size of a file of 50 GB is exact', () => {
  expect(sealedSizeOf(50_000_000_000, 524_288)).toBe(50_000_000_000 + 28 * 95_368)
})

test.each([-1, 3, 0.5, Number.NaN])('record %d of 3 does not exist', (index) => {
  expect(() => recordPlainBytes(sizesOf(44), index)).toThrow(RangeError)
  expect(() => recordStart(sizesOf(44), index)).toThrow(RangeError)
})
