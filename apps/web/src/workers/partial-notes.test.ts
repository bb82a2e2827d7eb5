import { expect, test } from 'vitest'
import { createNotes, type NotesPlace } from './partial-notes.ts'

/** A file in memory, as a synchronous handle shows one. */
function aPlace(): NotesPlace & { bytes: Uint8Array<ArrayBuffer> } {
  const place = {
    bytes: new Uint8Array(0),
    getSize: () => place.bytes.length,
    read(into: Uint8Array<ArrayBuffer>, { at }: { at: number }) {
      into.set(place.bytes.subarray(at, at + into.length))
      return into.length
    },
    write(from: Uint8Array<ArrayBuffer>, { at }: { at: number }) {
      place.bytes.set(from, at)
      return from.length
    },
    truncate(size: number) {
      const kept = place.bytes.slice(0, size)
      place.bytes = new Uint8Array(size)
      place.bytes.set(kept)
    },
  }
  return place
}

const piece = (length: number, of = 7) => new Uint8Array(length).fill(of)

test('FIL-14 what was noted is found again by whoever comes later, and nothing else is', () => {
  const place = aPlace()
  const before = createNotes(place, 3)
  before.note(0, piece(1000))
  before.note(2, piece(5))

  const after = createNotes(place, 3)

  expect([0, 1, 2].map(after.has)).toEqual([true, false, true])
  expect([after.fits(0, piece(1000)), after.fits(2, piece(5))]).toEqual([true, true])
})

test('FIL-14 bytes that were lost or changed since do not fit their note', () => {
  const place = aPlace()
  const notes = createNotes(place, 2)
  notes.note(0, piece(1003))
  notes.note(1, piece(1003, 0))
  const after = createNotes(place, 2)
  const changed = piece(1003)
  changed[1002] = 8

  const fits = [piece(1003, 0), changed, piece(1002)].map((bytes) => after.fits(0, bytes))

  expect(fits).toEqual([false, false, false])
  // A record of nothing but zeros is a record all the same.
  expect([after.has(1), after.fits(1, piece(1003, 0))]).toEqual([true, true])
})

test('FIL-14 notes of another length, and notes that are cleared, say nothing', () => {
  const place = aPlace()
  createNotes(place, 2).note(0, piece(4))
  const other = createNotes(place, 3)
  other.note(1, piece(4))
  createNotes(place, 3).clear()

  expect([0, 1, 2].map(other.has)).toEqual([false, false, false])
  expect([0, 1, 2].map(createNotes(place, 3).has)).toEqual([false, false, false])
})
