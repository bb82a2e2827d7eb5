import { createFileHeader, createFileKey, deriveFileKeys, sealRecord } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '#/testing/memory-handle.ts'
import { createNotes } from './partial-notes.ts'
import { createSealedPlace } from './sealed-place.ts'

const recordBytes = 64 * 1024
const recordCount = 4

async function aDownload() {
  const plain = crypto.getRandomValues(new Uint8Array((recordCount - 1) * recordBytes + 5).subarray(0, 65_536))
  const file = new Uint8Array((recordCount - 1) * recordBytes + 5)
  for (let at = 0; at < file.length; at += plain.length) file.set(plain.subarray(0, file.length - at), at)
  const header = createFileHeader({ kind: 'personal', plainBytes: file.length, recordBytes })
  const keys = await deriveFileKeys(createFileKey(), header)
  const bytes = createMemoryHandle(file.length)
  const notesHandle = createMemoryHandle()
  const open = () => {
    const notes = createNotes(notesHandle, keys, { now: () => 0 })
    return { notes, place: createSealedPlace({ bytes, notes, keys, onFull: () => new Error('full') }) }
  }
  const piece = (index: number) => file.slice(index * recordBytes, (index + 1) * recordBytes)
  const { notes, place } = open()
  async function put(...indexes: number[]) {
    for (const index of indexes) place.put(index * recordBytes, await sealRecord(keys, index, piece(index)))
    notes.flush()
  }
  return { file, bytes, notesHandle, place, open, put, piece }
}

const hex = (bytes: Uint8Array): string => bytes.toHex()

/** Whether any 32 bytes of the file stand in what lies on the disk. */
const holdsPlain = (stored: Uint8Array, file: Uint8Array): boolean =>
  [0, 1000, recordBytes - 40, 2 * recordBytes, file.length - 40].some((at) =>
    hex(stored).includes(hex(file.subarray(at, at + 32))),
  )

test('FIL-14 what lies on the disk while a file arrives holds none of its plain bytes, and is the file in the end', async () => {
  const { file, bytes, notesHandle, place, put } = await aDownload()

  await put(2, 0, 3, 1)
  expect([holdsPlain(bytes.bytes, file), holdsPlain(notesHandle.bytes, file)]).toEqual([false, false])
  await place.decryptAll()

  expect(hex(bytes.bytes) === hex(file)).toBe(true)
  expect(notesHandle.bytes).toHaveLength(0)
})

test('FIL-14 a later attempt finds the records that are there, and none that was changed', async () => {
  const { bytes, open, put } = await aDownload()
  await put(0, 1, 3)

  expect(await open().place.findKept()).toEqual([
    { first: 0, end: 2 },
    { first: 3, end: 4 },
  ])
  bytes.bytes[recordBytes + 7] = (bytes.bytes[recordBytes + 7] ?? 0) ^ 1
  expect(await open().place.findKept()).toEqual([
    { first: 0, end: 1 },
    { first: 3, end: 4 },
  ])
})

test('a record that was changed before the end is not handed over', async () => {
  const { bytes, place, put } = await aDownload()
  await put(0, 1, 2, 3)
  bytes.bytes[5] = (bytes.bytes[5] ?? 0) ^ 1

  await expect(place.decryptAll()).rejects.toThrow('changed on the disk')
})

test('a page that ends while it decrypts leaves nothing that counts as kept', async () => {
  const { place, open, put, bytes } = await aDownload()
  await put(0, 1, 2, 3)
  const write = bytes.write
  bytes.write = (from, options) => (options.at > 0 ? 0 : write(from, options))

  await expect(place.decryptAll()).rejects.toThrow('full')
  bytes.write = write

  expect(await open().place.findKept()).toEqual([])
})
