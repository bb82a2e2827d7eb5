import { createFileHeader, createFileKey, deriveFileKeys } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryHandle } from '../../../testing/memory-handle.ts'
import { createEncryptedRecordStore } from './encrypted-record-store.ts'
import { createRecordDigestLog } from './record-digest-log.ts'
import { createStagedFile } from './staged-file.ts'

const recordBytes = 64 * 1024
const plainBytes = 5 * recordBytes + 77

async function createTestStagedFile() {
  const header = createFileHeader({ kind: 'portal', plainBytes, recordBytes })
  const keys = await deriveFileKeys(createFileKey(), header)
  const [bytes, digestHandle] = [createMemoryHandle(plainBytes), createMemoryHandle()]
  /** A later page opens the same bytes by this function. */
  const open = () => {
    const digestLog = createRecordDigestLog(digestHandle, keys, { now: () => 0 })
    const recordStore = createEncryptedRecordStore({ bytes, digestLog, keys })
    return { digestLog, file: createStagedFile(recordStore, keys) }
  }
  return { bytes, digestHandle, open, ...open() }
}

const randomBytes = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += recordBytes) crypto.getRandomValues(bytes.subarray(at, at + recordBytes))
  return bytes
}

/** Whether 24 plain bytes occur anywhere in the stored bytes. Checks every 4096 bytes. */
function containsPlaintext(stored: Uint8Array, plain: Uint8Array): boolean {
  const storedHex = stored.toHex()
  for (let at = 0; at + 24 <= plain.length; at += 4096)
    if (storedHex.includes(plain.subarray(at, at + 24).toHex())) return true
  return false
}

const isEqual = (left: Uint8Array, right: Uint8Array): boolean => left.toHex() === right.toHex()

test('staged file: an archive written in small pieces with rewritten headers stays encrypted until it is complete', async () => {
  const { bytes, digestHandle, file } = await createTestStagedFile()
  const plain = randomBytes(plainBytes)

  await file.write(new Uint8Array(30), 0)
  for (let at = 30; at < plainBytes; at += 10_007) await file.write(plain.subarray(at, at + 10_007), at)
  await file.write(plain.subarray(0, 30), 0)
  await file.flushCached()
  expect([containsPlaintext(bytes.bytes, plain), containsPlaintext(digestHandle.bytes, plain)]).toEqual([false, false])
  await file.decrypt(plainBytes)

  expect(isEqual(bytes.bytes, plain)).toBe(true)
  expect(digestHandle.bytes).toHaveLength(0)
})

test('staged file: pieces in any order are combined, and later writes replace earlier ones', async () => {
  const { bytes, file } = await createTestStagedFile()
  const [before, plain] = [randomBytes(plainBytes), randomBytes(plainBytes)]
  const starts = Array.from({ length: Math.ceil(plainBytes / 9001) }, (_, number) => number * 9001)
  const shuffled = starts.toSorted((one, other) => ((one * 7919) % 104_729) - ((other * 7919) % 104_729))

  for (const from of [before, plain])
    await Promise.all(shuffled.map((at) => file.write(from.subarray(at, at + 9001), at)))
  expect(isEqual(await file.read(100, plainBytes), plain.subarray(100))).toBe(true)
  await file.decrypt(plainBytes)

  expect(isEqual(bytes.bytes, plain)).toBe(true)
})

test('staged file: a file shorter than the allocated space is decrypted to its end', async () => {
  const { bytes, file } = await createTestStagedFile()
  const plain = randomBytes(2 * recordBytes + 9)

  await file.write(plain, 0)
  await file.decrypt(plain.length)

  expect(isEqual(bytes.bytes.subarray(0, plain.length), plain)).toBe(true)
  expect(bytes.bytes.subarray(3 * recordBytes).every((byte) => byte === 0)).toBe(true)
})

test('staged file: whole records are encrypted once, and a later page reads those with a digest', async () => {
  const { bytes, digestLog, file, open } = await createTestStagedFile()
  const plain = randomBytes(plainBytes)

  for (const at of [0, 3 * recordBytes]) await file.write(plain.subarray(at, at + recordBytes), at)
  expect(bytes.writes).toBe(2)
  digestLog.flush()
  const later = open().file

  expect(isEqual(await later.read(0, recordBytes), plain.subarray(0, recordBytes))).toBe(true)
  expect(await later.read(recordBytes, recordBytes)).toHaveLength(0)
  bytes.bytes[3 * recordBytes] = (bytes.bytes[3 * recordBytes] ?? 0) ^ 1
  await expect(later.read(3 * recordBytes, 10)).rejects.toThrow('STAGED_FILE_CHANGED')
  await expect(later.write(plain.subarray(0, 5), 3 * recordBytes)).rejects.toThrow('STAGED_FILE_CHANGED')
})
