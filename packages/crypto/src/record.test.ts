import { expect, test } from 'vitest'
import { createFileKey } from './file-keys.ts'
import { randomBytes } from './random.ts'
import { imprintOf, isImprintOf, openRecord, sealRecord, sealRecordInto } from './record.ts'
import { withBrokenRandom } from './testing/scripted-random.ts'
import { aSealedFile } from './testing/sealed-file.ts'
import { fileSecrets, lockRecord, metaFor } from './testing/second-ef1.ts'

test('records sealed into one buffer lie there end to end', async () => {
  const { keys, plain } = await aSealedFile(44)
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
  const { keys, plain } = await aSealedFile(16)
  const target = new Uint8Array(44)

  const sealing = sealRecordInto({ keys, index: 0, plain, target, offset: 1 })

  await expect(sealing).rejects.toThrow(RangeError)
  expect(target).toEqual(new Uint8Array(44))
})

test.each([
  [0, 15],
  [0, 17],
  [1, 0],
  [2, 16],
  [2, 11],
])('record %i is not sealed from %i bytes', async (index, length) => {
  const { keys } = await aSealedFile(44)

  const sealing = sealRecord(keys, index, new Uint8Array(length))

  await expect(sealing).rejects.toMatchObject({ code: 'malformed', recordIndex: index })
})

test('a record that the file does not have is neither sealed nor opened', async () => {
  const { keys } = await aSealedFile(44)

  await expect(sealRecord(keys, 3, new Uint8Array(16))).rejects.toThrow(RangeError)
  await expect(openRecord(keys, -1, new Uint8Array(44))).rejects.toThrow(RangeError)
})

test('an imprint tells the bytes a record was sealed from, at their place, from any others', async () => {
  const { keys, plain, records } = await aSealedFile(44)
  const imprint = imprintOf(records[1] ?? new Uint8Array(44))
  const own = plain.subarray(16, 32)
  const changed = own.slice()
  changed[15] = (changed[15] ?? 0) ^ 1
  const other = imprint.slice()
  other[27] = (other[27] ?? 0) ^ 1

  expect(imprint.length).toBe(28)
  expect(await isImprintOf(keys, { index: 1, plain: own, imprint })).toBe(true)
  expect(await isImprintOf(keys, { index: 1, plain: changed, imprint })).toBe(false)
  expect(await isImprintOf(keys, { index: 0, plain: own, imprint })).toBe(false)
  expect(await isImprintOf(keys, { index: 1, plain: own.subarray(1), imprint })).toBe(false)
  expect(await isImprintOf(keys, { index: 1, plain: own, imprint: other })).toBe(false)
  expect(await isImprintOf(keys, { index: 1, plain: own, imprint: imprint.subarray(1) })).toBe(false)
})

test('a record that is too short or too long is told from one that was changed', async () => {
  const { keys, records } = await aSealedFile(44)
  const [first = new Uint8Array(0)] = records

  await expect(openRecord(keys, 0, first.subarray(0, 43))).rejects.toMatchObject({ code: 'truncated', recordIndex: 0 })
  await expect(openRecord(keys, 0, new Uint8Array([...first, 0]))).rejects.toMatchObject({ code: 'damaged' })
  await expect(openRecord(keys, 1, first)).rejects.toMatchObject({ code: 'damaged', recordIndex: 1 })
})

test('a record of another length is refused even when whoever holds the keys has sealed it', async () => {
  const { fileKey, keys } = await aSealedFile(44)
  const meta = metaFor(1, keys.header.fileUid, 44, 16)
  const place = { secrets: fileSecrets(fileKey, meta), meta, index: 0 }
  const locked = (length: number) => lockRecord(place, randomBytes(12), new Uint8Array(length))

  expect(await openRecord(keys, 0, locked(16))).toEqual(new Uint8Array(16))
  await expect(openRecord(keys, 0, locked(17))).rejects.toMatchObject({ code: 'damaged' })
  await expect(openRecord(keys, 0, locked(15))).rejects.toMatchObject({ code: 'truncated' })
})

test('T004 every flipped bit of a record is noticed', async () => {
  const { keys, records } = await aSealedFile(16)
  const [record = new Uint8Array(0)] = records

  for (let bit = 0; bit < record.length * 8; bit += 1) {
    const flipped = record.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    await expect(openRecord(keys, 0, flipped)).rejects.toMatchObject({ code: 'damaged' })
  }
})

test('the same bytes sealed twice look different', async () => {
  const { keys, plain } = await aSealedFile(16)

  expect(await sealRecord(keys, 0, plain)).not.toEqual(await sealRecord(keys, 0, plain))
})

test('records are sealed from memory that several threads share', async () => {
  const { keys, plain } = await aSealedFile(16)
  const shared = new Uint8Array(new SharedArrayBuffer(16))
  shared.set(plain)

  const sealed = await sealRecord(keys, 0, shared)

  expect(await openRecord(keys, 0, sealed)).toEqual(plain)
})

test('T025 a million IVs are all different, and so are those of a thousand records', async () => {
  const { keys, plain } = await aSealedFile(16)
  const seen = new Set<string>()

  for (let draw = 0; draw < 1_000_000; draw += 1) seen.add(String.fromCharCode(...randomBytes(12)))
  for (let draw = 0; draw < 1000; draw += 1) {
    seen.add(String.fromCharCode(...(await sealRecord(keys, 0, plain)).subarray(0, 12)))
  }

  expect(seen.size).toBe(1_001_000)
}, 60_000)

test('T025 on a device whose random generator repeats itself no file key is made', async () => {
  await expect(withBrokenRandom(() => createFileKey())).rejects.toThrow('repeats itself')
})
