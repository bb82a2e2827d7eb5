import { createFileHeader, createFileKey, deriveFileKeys, imprintOf, sealRecord } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '#/testing/memory-handle.ts'
import { createNotes } from './partial-notes.ts'

const recordBytes = 64 * 1024
const thePast: { now: () => number } = { now: () => 0 }

/** A file of so many records, the last of five bytes: its keys and the imprints its records were sealed with. */
async function aFile(recordCount: number) {
  const plainBytes = (recordCount - 1) * recordBytes + 5
  const keys = await deriveFileKeys(createFileKey(), createFileHeader({ kind: 'personal', plainBytes, recordBytes }))
  const plain = Array.from({ length: recordCount }, (_, index) =>
    new Uint8Array(index < recordCount - 1 ? recordBytes : 5).fill(index),
  )
  const imprints = await Promise.all(plain.map(async (one, index) => imprintOf(await sealRecord(keys, index, one))))
  const imprint = (index: number) => imprints[index] ?? new Uint8Array(0)
  return { keys, imprint }
}

test('FIL-14 what was noted is found again by whoever comes later, and nothing else is', async () => {
  const place = createMemoryHandle()
  const { keys, imprint } = await aFile(3)
  const before = createNotes(place, keys, thePast)
  before.note(0, imprint(0))
  before.note(2, imprint(2))
  before.flush()

  const after = createNotes(place, keys, thePast)

  expect([0, 1, 2].map(after.has)).toEqual([true, false, true])
  expect([after.imprint(0), after.imprint(2)]).toEqual([imprint(0), imprint(2)])
})

test('FIL-14 notes of another length, and notes that are cleared, say nothing', async () => {
  const place = createMemoryHandle()
  const [two, three] = [await aFile(2), await aFile(3)]
  const first = createNotes(place, two.keys, thePast)
  first.note(0, two.imprint(0))
  first.flush()
  const other = createNotes(place, three.keys, thePast)
  other.note(1, three.imprint(1))
  other.flush()
  createNotes(place, three.keys, thePast).clear()

  expect([0, 1, 2].map(createNotes(place, two.keys, thePast).has)).toEqual([false, false, false])
  expect([0, 1, 2].map(createNotes(place, three.keys, thePast).has)).toEqual([false, false, false])
})

test('FIL-14 notes are written in runs of a few records, and sooner where records come slowly', async () => {
  const place = createMemoryHandle()
  const { keys, imprint } = await aFile(20)
  let now = 0
  const notes = createNotes(place, keys, { now: () => now })
  const found = () => {
    const { has } = createNotes(place, keys, thePast)
    return Array.from({ length: 20 }, (_, index) => index).filter(has)
  }

  for (const index of [0, 10, 1, 11, 2, 12, 3]) notes.note(index, imprint(index))
  const before = { found: found(), writes: place.writes }
  notes.note(13, imprint(13))
  const gathered = { found: found(), writes: place.writes }
  now = 1000
  notes.note(19, imprint(19))

  expect(before).toEqual({ found: [], writes: 0 })
  expect(gathered).toEqual({ found: [0, 1, 2, 3, 10, 11, 12, 13], writes: 2 })
  expect(found()).toEqual([0, 1, 2, 3, 10, 11, 12, 13, 19])
})
