import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { checksumOf, joinChecksums } from './checksum.ts'

test('checksums of stretches that are joined are the checksum of the whole, however it is cut', () => {
  const bytes = randomBytes(100_003)
  for (const cut of [0, 1, 7, 4096, 65_536, 100_002, 100_003]) {
    const [head, tail] = [bytes.subarray(0, cut), bytes.subarray(cut)]
    expect(joinChecksums(checksumOf(head), checksumOf(tail), tail.length)).toBe(crc32(bytes))
  }
})

test('stretches of many gigabytes are joined at once, however they are grouped', () => {
  const gigabytes = 5 * 1024 ** 3 + 7
  const [first, second, third] = ['a', 'b', 'c'].map((text) => crc32(text)) as [number, number, number]
  const leftFirst = joinChecksums(joinChecksums(first, second, gigabytes), third, gigabytes)
  expect(leftFirst).toBe(joinChecksums(first, joinChecksums(second, third, gigabytes), 2 * gigabytes))
  expect(leftFirst).not.toBe(joinChecksums(joinChecksums(first, second, gigabytes), third, gigabytes + 1))
})
