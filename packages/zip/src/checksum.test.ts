import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { checksumOf, combineChecksums } from './checksum.ts'

test('the combined checksum of two parts is the checksum of the whole, wherever it is split', () => {
  const bytes = randomBytes(100_003)
  for (const cut of [0, 1, 7, 4096, 65_536, 100_002, 100_003]) {
    const [head, tail] = [bytes.subarray(0, cut), bytes.subarray(cut)]
    expect(combineChecksums(checksumOf(head), checksumOf(tail), tail.length)).toBe(crc32(bytes))
  }
})

test('checksums of parts of several gigabytes are combined at once and associatively', () => {
  const gigabytes = 5 * 1024 ** 3 + 7
  const [first, second, third] = ['a', 'b', 'c'].map((text) => crc32(text)) as [number, number, number]
  const leftFirst = combineChecksums(combineChecksums(first, second, gigabytes), third, gigabytes)
  expect(leftFirst).toBe(combineChecksums(first, combineChecksums(second, third, gigabytes), 2 * gigabytes))
  expect(leftFirst).not.toBe(combineChecksums(combineChecksums(first, second, gigabytes), third, gigabytes + 1))
})
