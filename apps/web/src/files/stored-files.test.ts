import type { ListedFile } from '@sallyport/contract/files'
import { expect, test } from 'vitest'
import { clockStepMs, isSameFile, rowsOf, sortByName } from './stored-files.ts'

const now = 1_700_000_000_000
const minute = 60_000

const aFile = (id: string, expiresAt: number): ListedFile => ({
  id,
  originalName: 'ef1.sealed',
  size: 12,
  createdAt: now - minute,
  expiresAt,
  encryptedFileKey: 'wrapped',
  downloads: 0,
  shared: false,
})

test('a row carries the opened name, and a placeholder until it is opened (FIL-10)', () => {
  const listed = [aFile('a', now + minute), aFile('b', now + minute)]

  const rows = rowsOf(listed, ({ id }) => (id === 'a' ? 'report.pdf' : undefined), now)

  expect(rows.map(({ name }) => name)).toEqual(['report.pdf', '…'])
  expect(rows[0]?.sizeBytes).toBe(12)
})

test('a row carries the key it was listed with, and another key under its id is another file', () => {
  const [row] = rowsOf([aFile('a', now + minute)], () => 'report.pdf', now)

  expect(row && isSameFile(row, { id: 'a', encryptedFileKey: 'wrapped' })).toBe(true)
  expect(row && isSameFile(row, { id: 'a', encryptedFileKey: 'other' })).toBe(false)
})

test('a file that has just expired is still shown, for it says so; a moment later it is gone (FIL-11)', () => {
  const nameOf = () => 'gone.txt'

  expect(rowsOf([aFile('a', now)], nameOf, now)).toHaveLength(1)
  expect(rowsOf([aFile('a', now)], nameOf, now + 1999)).toHaveLength(1)
  expect(rowsOf([aFile('a', now)], nameOf, now + 2000)).toHaveLength(0)
})

test('the clock ticks each second only while a file counts its last minute', () => {
  expect(clockStepMs([], now)).toBe(30_000)
  expect(clockStepMs([aFile('a', now + 10 * minute)], now)).toBe(30_000)
  expect(clockStepMs([aFile('a', now + 10 * minute), aFile('b', now + minute)], now)).toBe(1000)
})

test('the slow clock always looks once before the last minute begins', () => {
  const expiresAt = now + 10 * minute
  const lastSlowLook = expiresAt - minute - 1

  expect(clockStepMs([aFile('a', expiresAt)], lastSlowLook - 29_000)).toBe(1000)
})

test('FIL-18 a phone lists by name, capital or not, and figures by their value', () => {
  const names = ['b.txt', 'IMG_10.jpg', 'IMG_2.jpg', 'A.txt']
  const rows = rowsOf(
    names.map((_, index) => aFile(String(index), now + minute)),
    ({ id }) => names[Number(id)],
    now,
  )

  expect(sortByName(rows).map(({ name }) => name)).toEqual(['A.txt', 'b.txt', 'IMG_2.jpg', 'IMG_10.jpg'])
})
