import { createFileHeader, createFileKey, deriveFileKeys, recordDigestOf, sealRecord } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '../../../testing/memory-handle.ts'
import { createRecordDigestLog } from './record-digest-log.ts'

const recordBytes = 64 * 1024
const clockAtZero: { now: () => number } = { now: () => 0 }

/** Creates the keys of a file with this many records, the last of 5 bytes, and the digests of its records. */
async function createTestFile(recordCount: number) {
  const plainBytes = (recordCount - 1) * recordBytes + 5
  const keys = await deriveFileKeys(createFileKey(), createFileHeader({ kind: 'personal', plainBytes, recordBytes }))
  const plain = Array.from({ length: recordCount }, (_, index) =>
    new Uint8Array(index < recordCount - 1 ? recordBytes : 5).fill(index),
  )
  const digests = await Promise.all(plain.map(async (one, index) => recordDigestOf(await sealRecord(keys, index, one))))
  const digestOf = (index: number) => digests[index] ?? new Uint8Array(0)
  return { keys, digestOf }
}

test('FIL-14 record digests: a later attempt finds exactly the digests that were written', async () => {
  const handle = createMemoryHandle()
  const { keys, digestOf } = await createTestFile(3)
  const first = createRecordDigestLog(handle, keys, clockAtZero)
  first.add(0, digestOf(0))
  first.add(2, digestOf(2))
  first.flush()

  const second = createRecordDigestLog(handle, keys, clockAtZero)

  expect([0, 1, 2].map(second.has)).toEqual([true, false, true])
  expect([second.recordDigest(0), second.recordDigest(2)]).toEqual([digestOf(0), digestOf(2)])
})

test('FIL-14 record digests: a log of another length and a cleared log are empty', async () => {
  const handle = createMemoryHandle()
  const [two, three] = [await createTestFile(2), await createTestFile(3)]
  const first = createRecordDigestLog(handle, two.keys, clockAtZero)
  first.add(0, two.digestOf(0))
  first.flush()
  const other = createRecordDigestLog(handle, three.keys, clockAtZero)
  other.add(1, three.digestOf(1))
  other.flush()
  createRecordDigestLog(handle, three.keys, clockAtZero).clear()

  expect([0, 1, 2].map(createRecordDigestLog(handle, two.keys, clockAtZero).has)).toEqual([false, false, false])
  expect([0, 1, 2].map(createRecordDigestLog(handle, three.keys, clockAtZero).has)).toEqual([false, false, false])
})

test('FIL-14 record digests: digests are written in batches of 8, and after 500 ms where records arrive slowly', async () => {
  const handle = createMemoryHandle()
  const { keys, digestOf } = await createTestFile(20)
  let now = 0
  const log = createRecordDigestLog(handle, keys, { now: () => now })
  const findStored = () => {
    const { has } = createRecordDigestLog(handle, keys, clockAtZero)
    return Array.from({ length: 20 }, (_, index) => index).filter(has)
  }

  for (const index of [0, 10, 1, 11, 2, 12, 3]) log.add(index, digestOf(index))
  const before = { found: findStored(), writes: handle.writes }
  log.add(13, digestOf(13))
  const batched = { found: findStored(), writes: handle.writes }
  now = 1000
  log.add(19, digestOf(19))

  expect(before).toEqual({ found: [], writes: 0 })
  expect(batched).toEqual({ found: [0, 1, 2, 3, 10, 11, 12, 13], writes: 2 })
  expect(findStored()).toEqual([0, 1, 2, 3, 10, 11, 12, 13, 19])
})
