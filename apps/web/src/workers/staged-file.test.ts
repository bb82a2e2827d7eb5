import { createFileHeader, createFileKey, deriveFileKeys } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '#/testing/memory-handle.ts'
import { createNotes } from './partial-notes.ts'
import { createSealedPlace } from './sealed-place.ts'
import { createStagedFile } from './staged-file.ts'

const recordBytes = 64 * 1024
const plainBytes = 5 * recordBytes + 77

async function aStagedFile() {
  const header = createFileHeader({ kind: 'portal', plainBytes, recordBytes })
  const keys = await deriveFileKeys(createFileKey(), header)
  const [bytes, notesHandle] = [createMemoryHandle(plainBytes), createMemoryHandle()]
  /** Also what a later page opens. */
  const open = () => {
    const notes = createNotes(notesHandle, keys, { now: () => 0 })
    const place = createSealedPlace({ bytes, notes, keys, onFull: () => new Error('full') })
    return { notes, file: createStagedFile(place, keys) }
  }
  return { bytes, notesHandle, open, ...open() }
}

const randomBytes = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += recordBytes) crypto.getRandomValues(bytes.subarray(at, at + recordBytes))
  return bytes
}

/** Whether some 24 bytes of the plain file stand anywhere in what lies on the disk. */
function isAnywhereIn(stored: Uint8Array, plain: Uint8Array): boolean {
  const text = stored.toHex()
  for (let at = 0; at + 24 <= plain.length; at += 4096)
    if (text.includes(plain.subarray(at, at + 24).toHex())) return true
  return false
}

const isEqual = (left: Uint8Array, right: Uint8Array): boolean => left.toHex() === right.toHex()

test('an archive that is written in small pieces, with headers that change later, lies encrypted until it is whole', async () => {
  const { bytes, notesHandle, file } = await aStagedFile()
  const plain = randomBytes(plainBytes)

  await file.write(new Uint8Array(30), 0)
  for (let at = 30; at < plainBytes; at += 10_007) await file.write(plain.subarray(at, at + 10_007), at)
  await file.write(plain.subarray(0, 30), 0)
  await file.sealHeld()
  expect([isAnywhereIn(bytes.bytes, plain), isAnywhereIn(notesHandle.bytes, plain)]).toEqual([false, false])
  await file.decrypt(plainBytes)

  expect(isEqual(bytes.bytes, plain)).toBe(true)
  expect(notesHandle.bytes).toHaveLength(0)
})

test('pieces that come in any order and are written again are put together to the latest of each', async () => {
  const { bytes, file } = await aStagedFile()
  const [before, plain] = [randomBytes(plainBytes), randomBytes(plainBytes)]
  const starts = Array.from({ length: Math.ceil(plainBytes / 9001) }, (_, number) => number * 9001)
  const shuffled = starts.toSorted((one, other) => ((one * 7919) % 104_729) - ((other * 7919) % 104_729))

  for (const from of [before, plain])
    await Promise.all(shuffled.map((at) => file.write(from.subarray(at, at + 9001), at)))
  expect(isEqual(await file.read(100, plainBytes), plain.subarray(100))).toBe(true)
  await file.decrypt(plainBytes)

  expect(isEqual(bytes.bytes, plain)).toBe(true)
})

test('a file that ends sooner than the room that was taken is decrypted as far as it goes', async () => {
  const { bytes, file } = await aStagedFile()
  const plain = randomBytes(2 * recordBytes + 9)

  await file.write(plain, 0)
  await file.decrypt(plain.length)

  expect(isEqual(bytes.bytes.subarray(0, plain.length), plain)).toBe(true)
  expect(bytes.bytes.subarray(3 * recordBytes).every((byte) => byte === 0)).toBe(true)
})

test('whole records are encrypted once each, and a later page reads those that were noted', async () => {
  const { bytes, notes, file, open } = await aStagedFile()
  const plain = randomBytes(plainBytes)

  for (const at of [0, 3 * recordBytes]) await file.write(plain.subarray(at, at + recordBytes), at)
  expect(bytes.writes).toBe(2)
  notes.flush()
  const later = open().file

  expect(isEqual(await later.read(0, recordBytes), plain.subarray(0, recordBytes))).toBe(true)
  expect(await later.read(recordBytes, recordBytes)).toHaveLength(0)
  bytes.bytes[3 * recordBytes] = (bytes.bytes[3 * recordBytes] ?? 0) ^ 1
  await expect(later.read(3 * recordBytes, 10)).rejects.toThrow('changed on the disk')
  await expect(later.write(plain.subarray(0, 5), 3 * recordBytes)).rejects.toThrow('changed on the disk')
})
