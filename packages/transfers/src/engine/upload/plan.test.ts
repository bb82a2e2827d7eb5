import { createFileHeader, recordPlainBytes, sealedBytes, sealedRecordBytes } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { planUpload } from './plan.ts'

const megabyte = 1024 * 1024
const headerOf = (plainBytes: number) => createFileHeader({ kind: 'personal', plainBytes })

for (const [plainBytes, isSingle, chunkBytes] of [
  [0, true, 1],
  [5 * megabyte - 1, true, 5 * megabyte - 1],
  [5 * megabyte, false, 8 * megabyte],
  [50 * megabyte, false, 8 * megabyte],
  [50 * megabyte + 1, false, 16 * megabyte],
  [10 * 1024 * megabyte + 1, false, 32 * megabyte],
] as const) {
  test(`FIL-04 ${plainBytes} bytes are uploaded ${isSingle ? 'in one request' : `in chunks of ${chunkBytes}`}`, () => {
    const plan = planUpload(headerOf(plainBytes))

    expect(plan.isSingle).toBe(isSingle)
    expect(plan.chunkBytes).toBe(chunkBytes)
  })
}

test('FIL-04 little memory reduces the chunk size to 4 MB', () => {
  expect(planUpload(headerOf(200 * megabyte), { availableMemoryBytes: 14 * megabyte }).chunkBytes).toBe(4 * megabyte)
})

test('the chunks of a file cover it exactly once, record by record', () => {
  for (const plainBytes of [0, 1, 5 * megabyte, 8 * megabyte, 8 * megabyte + 1, 60 * megabyte + 3]) {
    const header = headerOf(plainBytes)
    const plan = planUpload(header)
    let [record, position, sealed] = [0, 0, 0]

    for (let index = 0; index < plan.chunkCount; index += 1) {
      const chunk = plan.chunk(index)
      expect([chunk.firstRecord, chunk.start]).toEqual([record, position])
      for (let step = 0; step < chunk.recordCount; step += 1, record += 1) {
        position += recordPlainBytes(header, record)
        sealed += sealedRecordBytes(header, record)
      }
      expect(chunk.end).toBe(position)
    }

    expect([record, position, sealed]).toEqual([header.recordCount, plainBytes, sealedBytes(header)])
    expect(() => plan.chunk(plan.chunkCount)).toThrow(RangeError)
  }
})
