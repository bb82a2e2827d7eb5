import { expect, test } from 'vitest'
import { createFileKey } from './file-keys.ts'
import { randomBytes } from './random.ts'
import { matchesRecordDigest, openRecord, recordDigestOf, sealRecord, sealRecordInto } from './record.ts'
import { withBrokenRandom } from './testing/scripted-random.ts'
import { createSealedFile } from './testing/sealed-file.ts'
import { fileSecrets, lockRecord, metaFor } from './testing/second-ef1.ts'

test('records sealed into one buffer are adjacent', async () => {
  const { keys, plain } = await createSealedFile(44)
  const target = new Uint8Array(5 + 128)

  let offset = 5
  for (const index of [0, 1, 2]) {
    offset += await sealRecordInto({ keys, index, plain: plain.subarray(index * 16, index * 16 + 16), target, offset })
  }

  expect(offset).toBe(5 + 128)
  expect(target.subarray(0, 5)).toEqual(new Uint8Array(5))
  expect(await openRecord(keys, 1, target.subarray(5 + 44, 5 + 88))).toEqual(plain.subarray(16, 32))
  expect(await openRecord(keys, 2, target.subarray(5 + 88))).toEqual(plain.subarray(32))
})

test('a record that does not fit into the target is not sealed', async () => {
  const { keys, plain } = await createSealedFile(16)
  const target = new Uint8Array(44)

  const pending = sealRecordInto({ keys, index: 0, plain, target, offset: 1 })

  await expect(pending).rejects.toThrow(RangeError)
  expect(target).toEqual(new Uint8Array(44))
})

test.each([
  [0, 15],
  [0, 17],
  [1, 0],
  [2, 16],
  [2, 11],
])('record %i is not sealed from %i bytes', async (index, length) => {
  const { keys } = await createSealedFile(44)

  const pending = sealRecord(keys, index, new Uint8Array(length))

  await expect(pending).rejects.toMatchObject({ code: 'malformed', recordIndex: index })
})

test('a record beyond the end of the file is neither sealed nor opened', async () => {
  const { keys } = await createSealedFile(44)

  await expect(sealRecord(keys, 3, new Uint8Array(16))).rejects.toThrow(RangeError)
  await expect(openRecord(keys, -1, new Uint8Array(44))).rejects.toThrow(RangeError)
})

test('a record digest matches only the bytes and the index that the record was sealed from', async () => {
  const { keys, plain, records } = await createSealedFile(44)
  const recordDigest = recordDigestOf(records[1] ?? new Uint8Array(44))
  const sealedBytes = plain.subarray(16, 32)
  const changed = sealedBytes.slice()
  changed[15] = (changed[15] ?? 0) ^ 1
  const other = recordDigest.slice()
  other[27] = (other[27] ?? 0) ^ 1

  expect(recordDigest.length).toBe(28)
  expect(await matchesRecordDigest(keys, { index: 1, plain: sealedBytes, recordDigest })).toBe(true)
  expect(await matchesRecordDigest(keys, { index: 1, plain: changed, recordDigest })).toBe(false)
  expect(await matchesRecordDigest(keys, { index: 0, plain: sealedBytes, recordDigest })).toBe(false)
  expect(await matchesRecordDigest(keys, { index: 1, plain: sealedBytes.subarray(1), recordDigest })).toBe(false)
  expect(await matchesRecordDigest(keys, { index: 1, plain: sealedBytes, recordDigest: other })).toBe(false)
  expect(
    await matchesRecordDigest(keys, { index: 1, plain: sealedBytes, recordDigest: recordDigest.subarray(1) }),
  ).toBe(false)
})

test('a truncated or extended record is distinguished from an altered one', async () => {
  const { keys, records } = await createSealedFile(44)
  const [first = new Uint8Array(0)] = records

  await expect(openRecord(keys, 0, first.subarray(0, 43))).rejects.toMatchObject({ code: 'truncated', recordIndex: 0 })
  await expect(openRecord(keys, 0, new Uint8Array([...first, 0]))).rejects.toMatchObject({ code: 'damaged' })
  await expect(openRecord(keys, 1, first)).rejects.toMatchObject({ code: 'damaged', recordIndex: 1 })
})

test('a record of another length is rejected even if it was sealed with the right keys', async () => {
  const { fileKey, keys } = await createSealedFile(44)
  const meta = metaFor(1, keys.header.fileUid, 44, 16)
  const context = { secrets: fileSecrets(fileKey, meta), meta, index: 0 }
  const sealLength = (length: number) => lockRecord(context, randomBytes(12), new Uint8Array(length))

  expect(await openRecord(keys, 0, sealLength(16))).toEqual(new Uint8Array(16))
  await expect(openRecord(keys, 0, sealLength(17))).rejects.toMatchObject({ code: 'damaged' })
  await expect(openRecord(keys, 0, sealLength(15))).rejects.toMatchObject({ code: 'truncated' })
})

test('T004 every flipped bit of a record is detected', async () => {
  const { keys, records } = await createSealedFile(16)
  const [record = new Uint8Array(0)] = records

  for (let bit = 0; bit < record.length * 8; bit += 1) {
    const flipped = record.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    await expect(openRecord(keys, 0, flipped)).rejects.toMatchObject({ code: 'damaged' })
  }
})

test('the same bytes sealed twice have different ciphertexts', async () => {
  const { keys, plain } = await createSealedFile(16)

  expect(await sealRecord(keys, 0, plain)).not.toEqual(await sealRecord(keys, 0, plain))
})

test('records are sealed from shared memory', async () => {
  const { keys, plain } = await createSealedFile(16)
  const shared = new Uint8Array(new SharedArrayBuffer(16))
  shared.set(plain)

  const sealed = await sealRecord(keys, 0, shared)

  expect(await openRecord(keys, 0, sealed)).toEqual(plain)
})

test('T025 a device whose random generator repeats itself creates no file key', async () => {
  await expect(withBrokenRandom(() => createFileKey())).rejects.toThrow('repeats itself')
})
