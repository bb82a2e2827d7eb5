import type { ListedFile } from '@sallyport/contract/files'
import { expect, test } from 'vitest'
import { clockStepMs, isSameFile, rowsOf, sortByName } from './stored-files.ts'

const now = 1_700_000_000_000
const minute = 60_000

const createFile = (id: string, expiresAt: number): ListedFile => ({
  id,
  originalName: 'ef1.sealed',
  size: 12,
  createdAt: now - minute,
  expiresAt,
  encryptedFileKey: 'wrapped',
  downloads: 0,
  shared: false,
})

test('FIL-10 rowsOf: a row has the decrypted name, or a placeholder until it is decrypted', () => {
  const listed = [createFile('a', now + minute), createFile('b', now + minute)]

  const rows = rowsOf(listed, ({ id }) => (id === 'a' ? 'report.pdf' : undefined), now)

  expect(rows.map(({ name }) => name)).toEqual(['report.pdf', '…'])
  expect(rows[0]?.sizeBytes).toBe(12)
})

test('isSameFile: another key under the same id is another file', () => {
  const [row] = rowsOf([createFile('a', now + minute)], () => 'report.pdf', now)

  expect(row && isSameFile(row, { id: 'a', encryptedFileKey: 'wrapped' })).toBe(true)
  expect(row && isSameFile(row, { id: 'a', encryptedFileKey: 'other' })).toBe(false)
})

test('FIL-11 rowsOf: an expired file is shown for 2 s and then removed', () => {
  const nameOf = () => 'gone.txt'

  expect(rowsOf([createFile('a', now)], nameOf, now)).toHaveLength(1)
  expect(rowsOf([createFile('a', now)], nameOf, now + 1999)).toHaveLength(1)
  expect(rowsOf([createFile('a', now)], nameOf, now + 2000)).toHaveLength(0)
})

test('clockStepMs: ticks every second only while a file is in its last minute', () => {
  expect(clockStepMs([], now)).toBe(30_000)
  expect(clockStepMs([createFile('a', now + 10 * minute)], now)).toBe(30_000)
  expect(clockStepMs([createFile('a', now + 10 * minute), createFile('b', now + minute)], now)).toBe(1000)
})

test('clockStepMs: the slow clock never misses the start of the last minute', () => {
  const expiresAt = now + 10 * minute
  const lastSlowTick = expiresAt - minute - 1

  expect(clockStepMs([createFile('a', expiresAt)], lastSlowTick - 29_000)).toBe(1000)
})

test('FIL-18 sortByName: sorts case-insensitively and numerically', () => {
  const names = ['b.txt', 'IMG_10.jpg', 'IMG_2.jpg', 'A.txt']
  const rows = rowsOf(
    names.map((_, index) => createFile(String(index), now + minute)),
    ({ id }) => names[Number(id)],
    now,
  )

  expect(sortByName(rows).map(({ name }) => name)).toEqual(['A.txt', 'b.txt', 'IMG_2.jpg', 'IMG_10.jpg'])
})
