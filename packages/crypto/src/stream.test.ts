import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveFileKeys } from './file-keys.ts'
import { sealRecord } from './record.ts'
import { openStream, sealStream } from './stream.ts'
import { concatPieces, drain, streamOf, streamOfPieces } from './testing/pieces.ts'
import { createSealedFile } from './testing/sealed-file.ts'

const mebibyte = 1024 * 1024
const openFile = (file: Awaited<ReturnType<typeof createSealedFile>>, sealed: Uint8Array = file.sealed) =>
  drain(streamOf(sealed, 13).pipeThrough(openStream(file.keys)))

test('T001 any bytes in any pieces seal and open to the same bytes, with 28 bytes more for each record', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 90 }), async (plainPieces, pieceBytes) => {
      const plain = concatPieces(plainPieces)
      const { keys } = await createSealedFile(plain.length)

      const sealed = await drain(streamOfPieces(plainPieces).pipeThrough(sealStream(keys)))
      const opened = await drain(streamOf(sealed.bytes, pieceBytes).pipeThrough(openStream(keys)))

      expect(sealed.error).toBeNull()
      expect(sealed.bytes).toHaveLength(plain.length + 28 * keys.header.recordCount)
      expect(opened).toEqual({ bytes: plain, error: null })
    }),
    { numRuns: 200 },
  )
})

test.each([64 * 1024, 512 * 1024, 4 * mebibyte])(
  'T001 files at the boundaries of records of %i bytes open',
  async (recordBytes) => {
    for (const plainBytes of [recordBytes - 1, recordBytes, recordBytes + 1]) {
      const file = await createSealedFile(plainBytes, { recordBytes })

      const opened = await drain(streamOf(file.sealed, 65_521).pipeThrough(openStream(file.keys)))

      expect(opened.error).toBeNull()
      expect(Buffer.compare(opened.bytes, file.plain)).toBe(0)
    }
  },
)

test('T004 every flipped bit of a file of 3 records is detected, and no byte of its record is emitted', async () => {
  const file = await createSealedFile(44)

  for (let bit = 0; bit < file.sealed.length * 8; bit += 1) {
    const flipped = file.sealed.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const badRecord = Math.floor((bit >> 3) / 44)

    const { bytes, error } = await openFile(file, flipped)

    expect(error).toMatchObject({ code: 'damaged', recordIndex: badRecord })
    expect(bytes.length).toBeLessThanOrEqual(badRecord * 16)
    expect(bytes).toEqual(file.plain.subarray(0, bytes.length))
  }
})

test('T004 to T009 no change to the order, the number or the bytes of records yields a file', async () => {
  const file = await createSealedFile(75)
  const order = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(order, fc.uint8Array({ maxLength: 50 }), async (indices, tail) => {
      const sealed = concatPieces([...indices.map((index) => file.records[index] ?? new Uint8Array(0)), tail])
      fc.pre(Buffer.compare(sealed, file.sealed) !== 0)

      const { bytes, error } = await openFile(file, sealed)

      expect(['damaged', 'truncated']).toContain((error as { code?: string } | null)?.code)
      expect(bytes).toEqual(file.plain.subarray(0, bytes.length))
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['T005 two swapped records', [1, 0, 2], 'damaged', 0],
  ['T006 a repeated record', [0, 0, 1, 2], 'damaged', 1],
  ['T007 a missing last record', [0, 1], 'truncated', 2],
  ['T008 a missing record in the middle', [0, 2], 'truncated', 1],
] as const)('%s is rejected', async (_what, order, code, recordIndex) => {
  const file = await createSealedFile(44)
  const sealed = concatPieces(order.map((index) => file.records[index] ?? new Uint8Array(0)))

  const { error } = await openFile(file, sealed)

  expect(error).toMatchObject({ code, recordIndex })
})

test.each([1, 27, 28, 44])('T009 %i bytes after the last record are rejected', async (extraBytes) => {
  const file = await createSealedFile(44)

  const { error } = await openFile(file, concatPieces([file.sealed, new Uint8Array(extraBytes)]))

  expect(error).toMatchObject({ code: 'damaged' })
})

test.each([
  ['T010 fewer', 2, 32, 88],
  ['T011 more', 4, 60, 128],
])('%s records than were sealed are rejected', async (_what, recordCount, plainBytes, sealedBytes) => {
  const file = await createSealedFile(44)
  const keys = await deriveFileKeys(file.fileKey, { ...file.keys.header, recordCount, plainBytes })

  const { bytes, error } = await drain(streamOf(file.sealed.subarray(0, sealedBytes)).pipeThrough(openStream(keys)))

  expect(error).toMatchObject({ code: 'damaged', recordIndex: 0 })
  expect(bytes).toHaveLength(0)
})

test('T011 a former last record is rejected by its position even under the same keys', async () => {
  const file = await createSealedFile(32)
  const longer = { ...file.keys, header: { ...file.keys.header, recordCount: 3, plainBytes: 48 } }

  const { error } = await drain(streamOf(file.sealed).pipeThrough(openStream(longer)))

  expect(error).toMatchObject({ code: 'damaged', recordIndex: 1 })
})

test('T012 a record of another file of the same size is rejected', async () => {
  const file = await createSealedFile(44)
  const other = await createSealedFile(44)

  const { error } = await openFile(
    file,
    concatPieces([file.records, other.records, file.records].map((from, index) => from[index] ?? new Uint8Array(0))),
  )

  expect(error).toMatchObject({ code: 'damaged', recordIndex: 1 })
})

test('T013 a record of an earlier upload of the same bytes is rejected even under the same file key', async () => {
  const earlier = await createSealedFile(44)
  const header = { ...earlier.keys.header, fileUid: crypto.getRandomValues(new Uint8Array(16)) }
  const keys = await deriveFileKeys(earlier.fileKey, header)
  const first = await sealRecord(keys, 0, earlier.plain.subarray(0, 16))

  const { error } = await drain(
    streamOf(concatPieces([first, ...earlier.records.slice(1)])).pipeThrough(openStream(keys)),
  )

  expect(error).toMatchObject({ code: 'damaged', recordIndex: 1 })
})

test('T028 an empty file is one record of 28 bytes', async () => {
  const { keys } = await createSealedFile(0)

  const sealed = await drain(streamOfPieces([]).pipeThrough(sealStream(keys)))
  const opened = await drain(streamOf(sealed.bytes).pipeThrough(openStream(keys)))

  expect(sealed.bytes).toHaveLength(28)
  expect(opened).toEqual({ bytes: new Uint8Array(0), error: null })
})

test('T028 an empty file that has grown is not sealed', async () => {
  const { keys } = await createSealedFile(0)

  const { bytes, error } = await drain(streamOfPieces([Uint8Array.of(1)]).pipeThrough(sealStream(keys)))

  expect(error).toMatchObject({ code: 'malformed' })
  expect(bytes.length).toBeLessThanOrEqual(28)
})

test('a file opens from any record on, and requires all the records after it', async () => {
  const file = await createSealedFile(44)
  const from = (firstRecord: number, sealed: Uint8Array) =>
    drain(streamOf(sealed, 5).pipeThrough(openStream(file.keys, { firstRecord })))

  expect(await from(2, file.sealed.subarray(88))).toEqual({ bytes: file.plain.subarray(32), error: null })
  expect((await from(1, file.sealed.subarray(44, 88))).error).toMatchObject({ code: 'truncated', recordIndex: 2 })
  expect((await from(1, file.sealed)).error).toMatchObject({ code: 'damaged', recordIndex: 1 })
  expect(() => openStream(file.keys, { firstRecord: 3 })).toThrow(RangeError)
})

test('nothing of a record is emitted before it is complete', async () => {
  const file = await createSealedFile(44)
  const { readable, writable } = openStream(file.keys)
  const reader = readable.getReader()
  const writer = writable.getWriter()
  let hasEmitted = false
  const reading = reader.read().then((next) => {
    hasEmitted = true
    return next
  })

  await writer.write(file.sealed.subarray(0, 43))
  const hadEmitted = hasEmitted
  const writing = writer.write(file.sealed.subarray(43, 44))

  expect(hadEmitted).toBe(false)
  expect((await reading).value).toEqual(file.plain.subarray(0, 16))
  await writing
  await writer.abort()
})

test('emitted pieces do not change when later records arrive', async () => {
  const file = await createSealedFile(75)
  const pieces: Uint8Array[] = []

  for await (const piece of streamOf(file.sealed, 3).pipeThrough(openStream(file.keys))) pieces.push(piece)

  expect(concatPieces(pieces)).toEqual(file.plain)
})

test('an aborted stream errors instead of closing', async () => {
  const file = await createSealedFile(44)
  const failing = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(file.sealed.subarray(0, 44)),
    pull: (controller) => controller.error(new Error('connection lost')),
  })

  const { error } = await drain(failing.pipeThrough(openStream(file.keys)))

  expect(error).toMatchObject({ message: 'connection lost' })
})
