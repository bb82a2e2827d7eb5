import { createFileHeader, createFileKey, deriveFileKeys, sealRecord } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '../../../testing/memory-handle.ts'
import { createEncryptedRecordStore } from './encrypted-record-store.ts'
import { createRecordDigestLog } from './record-digest-log.ts'

const recordBytes = 64 * 1024
const recordCount = 4

async function createTestDownload() {
  const plain = crypto.getRandomValues(new Uint8Array((recordCount - 1) * recordBytes + 5).subarray(0, 65_536))
  const file = new Uint8Array((recordCount - 1) * recordBytes + 5)
  for (let offset = 0; offset < file.length; offset += plain.length)
    file.set(plain.subarray(0, file.length - offset), offset)
  const header = createFileHeader({ kind: 'personal', plainBytes: file.length, recordBytes })
  const keys = await deriveFileKeys(createFileKey(), header)
  const bytes = createMemoryHandle(file.length)
  const digestHandle = createMemoryHandle()
  const open = () => {
    const digestLog = createRecordDigestLog(digestHandle, keys, { now: () => 0 })
    return { digestLog, place: createEncryptedRecordStore({ bytes, digestLog, keys }) }
  }
  const plainRecord = (index: number) => file.slice(index * recordBytes, (index + 1) * recordBytes)
  const { digestLog: notes, place } = open()
  async function put(...indexes: number[]) {
    for (const index of indexes) place.put(index * recordBytes, await sealRecord(keys, index, plainRecord(index)))
    notes.flush()
  }
  return { file, bytes, digestHandle, place, open, put, plainRecord }
}

const hex = (bytes: Uint8Array): string => bytes.toHex()

/** Whether 32 plain bytes of the file occur in the stored bytes. Checks a few positions. */
const containsPlaintext = (stored: Uint8Array, file: Uint8Array): boolean =>
  [0, 1000, recordBytes - 40, 2 * recordBytes, file.length - 40].some((at) =>
    hex(stored).includes(hex(file.subarray(at, at + 32))),
  )

test('FIL-14 encrypted records: the disk holds no plain bytes during a download, and the complete file after it', async () => {
  const { file, bytes, digestHandle, place, put } = await createTestDownload()

  await put(2, 0, 3, 1)
  expect([containsPlaintext(bytes.bytes, file), containsPlaintext(digestHandle.bytes, file)]).toEqual([false, false])
  await place.decryptAll()

  expect(hex(bytes.bytes) === hex(file)).toBe(true)
  expect(digestHandle.bytes).toHaveLength(0)
})

test('FIL-14 encrypted records: a later attempt finds the stored records, except those that were changed', async () => {
  const { bytes, open, put } = await createTestDownload()
  await put(0, 1, 3)

  expect(await open().place.findStored()).toEqual([
    { first: 0, end: 2 },
    { first: 3, end: 4 },
  ])
  bytes.bytes[recordBytes + 7] = (bytes.bytes[recordBytes + 7] ?? 0) ^ 1
  expect(await open().place.findStored()).toEqual([
    { first: 0, end: 1 },
    { first: 3, end: 4 },
  ])
})

test('encrypted records: decryption fails for a record that was changed on the disk', async () => {
  const { bytes, place, put } = await createTestDownload()
  await put(0, 1, 2, 3)
  bytes.bytes[5] = (bytes.bytes[5] ?? 0) ^ 1

  await expect(place.decryptAll()).rejects.toThrow('STAGED_FILE_CHANGED')
})

test('encrypted records: a page that ends during decryption leaves no resumable records', async () => {
  const { place, open, put, bytes } = await createTestDownload()
  await put(0, 1, 2, 3)
  const write = bytes.write
  bytes.write = (from, options) => (options.at > 0 ? 0 : write(from, options))

  await expect(place.decryptAll()).rejects.toThrow('STORAGE_FULL')
  bytes.write = write

  expect(await open().place.findStored()).toEqual([])
})

test('decrypting in place reports every plain byte, stops when aborted, and leaves no record that counts as stored', async () => {
  const { file, place, open, put } = await createTestDownload()
  await put(0, 1, 2, 3)
  const stop = new AbortController()
  const reported: number[] = []
  const onDecrypted = (plainBytes: number): void => {
    reported.push(plainBytes)
    if (reported.length === 2) stop.abort(new Error('cancelled by the test'))
  }

  await expect(place.decryptAll({ onDecrypted, signal: stop.signal })).rejects.toThrow('cancelled by the test')
  expect(reported).toEqual([recordBytes, recordBytes])
  expect(await open().place.findStored()).toEqual([])

  await put(0, 1, 2, 3)
  const all: number[] = []
  await place.decryptAll({ onDecrypted: (plainBytes) => all.push(plainBytes) })
  expect(all.reduce((sum, plainBytes) => sum + plainBytes, 0)).toBe(file.length)
})
