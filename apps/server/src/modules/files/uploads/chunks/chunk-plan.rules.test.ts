import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { planChunks, sealedChunkBytes, singleChunkBytes, toRanges } from './chunk-plan.rules.ts'

const KiB = 1024
const MiB = 1024 * KiB

test('the chunk sizes of a plan add up to the size of the sealed file', () => {
  const sizes = fc.record({
    plainBytes: fc.nat(40 * MiB),
    recordBytes: fc.constantFrom(64 * KiB, 512 * KiB, MiB),
    records: fc.integer({ min: 1, max: 16 }),
  })

  void fc.assert(
    fc.property(sizes, ({ plainBytes, recordBytes, records }) => {
      const plan = planChunks({ plainBytes, recordBytes }, records * recordBytes)
      if (!plan) throw new Error('Expected a plan for every file')
      const lengths = Array.from({ length: plan.chunkCount }, (_, index) => sealedChunkBytes(plan, index) ?? 0)
      const recordCount = Math.max(1, Math.ceil(plainBytes / recordBytes))

      expect(lengths.reduce((sum, length) => sum + length)).toBe(plan.sealedBytes)
      expect(plan.sealedBytes).toBe(plainBytes + 28 * recordCount)
      expect(lengths.every((length) => length >= 28)).toBe(true)
    }),
  )
})

test.each([
  [0, 512 * KiB, 8 * MiB, 1],
  [50 * MiB, 512 * KiB, 8 * MiB, 7],
  [50 * MiB + 1, 512 * KiB, 16 * MiB, 4],
  [10 * 1024 * MiB + 1, 512 * KiB, 32 * MiB, 321],
  [1 * MiB, 32 * MiB, 32 * MiB, 1],
])('default chunk size: a file of %d bytes in records of %d is uploaded in chunks of %d', (...sizes) => {
  const [plainBytes, recordBytes, chunkBytes, chunkCount] = sizes

  expect(planChunks({ plainBytes, recordBytes })).toMatchObject({ chunkBytes, chunkCount })
})

test('no plan exists for chunks with partial records, too large chunks or too many chunks', () => {
  const sizes = { plainBytes: 10 * MiB, recordBytes: 64 * KiB }

  for (const chunkBytes of [0, 1, 64 * KiB - 1, 96 * KiB, 64 * MiB, Number.NaN]) {
    expect(planChunks(sizes, chunkBytes)).toBeNull()
  }
  expect(planChunks({ plainBytes: 100_001 * 64 * KiB, recordBytes: 64 * KiB }, 64 * KiB)).toBeNull()
})

test('sealedChunkBytes: null for an index outside of the plan', () => {
  const plan = planChunks({ plainBytes: 3 * 64 * KiB, recordBytes: 64 * KiB }, 64 * KiB)

  for (const index of [-1, 3, 1.5, Number.NaN, 2 ** 31]) expect(plan && sealedChunkBytes(plan, index)).toBeNull()
})

test('singleChunkBytes: a file of any size fits into a single chunk', () => {
  for (const plainBytes of [0, 1, 64 * KiB, 64 * KiB + 1, 5 * 1024 * MiB + 1]) {
    const sizes = { plainBytes, recordBytes: 64 * KiB }
    expect(planChunks(sizes, singleChunkBytes(sizes))?.chunkCount).toBe(1)
  }
  expect(planChunks({ plainBytes: 100 * MiB, recordBytes: 64 * KiB }, 50 * MiB)).toBeNull()
})

test('toRanges: converts numbers to ranges', () => {
  expect(toRanges([])).toEqual([])
  expect(toRanges([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ])
})
