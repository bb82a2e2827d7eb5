import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createFileHeader,
  decodeFileHeader,
  encodeFileHeader,
  type FileKind,
  largestRecordBytes,
  smallestRecordBytes,
  standardRecordBytes,
} from './header.ts'

const malformed = expect.objectContaining({ code: 'malformed' })

test('a new header has records of 512 KiB and a unique id', () => {
  const one = createFileHeader({ kind: 'personal', plainBytes: 1_000_000 })
  const other = createFileHeader({ kind: 'personal', plainBytes: 1_000_000 })

  expect(one).toMatchObject({ kind: 'personal', recordBytes: 524_288, recordCount: 2, plainBytes: 1_000_000 })
  expect(one.fileUid).toHaveLength(16)
  expect(one.fileUid).not.toEqual(other.fileUid)
})

test('a header decodes as it was encoded', () => {
  const recordSizes = fc.integer({ min: 16, max: 25 }).map((power) => 2 ** power)
  const kinds = fc.constantFrom<FileKind>('personal', 'session', 'portal')
  fc.assert(
    fc.property(kinds, recordSizes, fc.integer({ min: 0, max: 50_000_000_000 }), (kind, recordBytes, plainBytes) => {
      const header = createFileHeader({ kind, plainBytes, recordBytes })

      expect(decodeFileHeader(encodeFileHeader(header))).toEqual(header)
    }),
    { numRuns: 300 },
  )
})

test('any 40 bytes are rejected or decode to a header that encodes to the same bytes', () => {
  const encoded = encodeFileHeader(createFileHeader({ kind: 'personal', plainBytes: 3_000_000 }))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 0, max: 255 }), (offset, value) => {
      const modified = encoded.slice()
      modified[offset] = value
      try {
        expect(encodeFileHeader(decodeFileHeader(modified))).toEqual(modified)
      } catch (error) {
        expect(['malformed', 'unsupported-version']).toContain((error as { code: string }).code)
      }
    }),
    { numRuns: 1000 },
  )
})

test.each([
  0,
  1,
  15,
  16,
  32 * 1024,
  smallestRecordBytes - 1,
  smallestRecordBytes + 1,
  96 * 1024,
  2 * largestRecordBytes,
])('T020 a header with records of %i bytes is rejected', (recordBytes) => {
  expect(() => createFileHeader({ kind: 'personal', plainBytes: 100, recordBytes })).toThrow(malformed)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'T020 a header for a file of %d bytes is rejected',
  (plainBytes) => {
    expect(() => createFileHeader({ kind: 'personal', plainBytes })).toThrow(malformed)
  },
)

test('T020 a file whose number of records exceeds 32 bits is rejected', () => {
  const largest = { kind: 'personal', recordBytes: smallestRecordBytes } as const

  expect(createFileHeader({ ...largest, plainBytes: 0xffff_ffff * smallestRecordBytes }).recordCount).toBe(0xffff_ffff)
  expect(() => createFileHeader({ ...largest, plainBytes: 0xffff_ffff * smallestRecordBytes + 1 })).toThrow(malformed)
})

test('tiny records are accepted only if the caller allows them', () => {
  const tiny = encodeFileHeader(
    createFileHeader({ kind: 'personal', plainBytes: 44, recordBytes: 16, smallestRecordBytes: 16 }),
  )

  expect(decodeFileHeader(tiny, { smallestRecordBytes: 16 }).recordCount).toBe(3)
  expect(() => decodeFileHeader(tiny)).toThrow(malformed)
})

test('a file id of another size is rejected', () => {
  const header = createFileHeader({ kind: 'personal', plainBytes: 1 })

  expect(() => encodeFileHeader({ ...header, fileUid: new Uint8Array(15) })).toThrow(malformed)
})

test('a decoded header is independent of the bytes it was decoded from', () => {
  const encoded = encodeFileHeader(createFileHeader({ kind: 'personal', plainBytes: 1 }))
  const header = decodeFileHeader(encoded)
  const fileUid = header.fileUid.slice()

  encoded.fill(0)

  expect(header.fileUid).toEqual(fileUid)
  expect(header.recordBytes).toBe(standardRecordBytes)
})

test.each([
  ['version 0', 4, 0],
  ['version 2', 4, 2],
  ['suite 0', 5, 0],
  ['suite 255', 5, 255],
  ['an unknown kind', 6, 4],
  ['the reserved byte set', 7, 1],
])('T019 a header with %s is rejected as unsupported', (_what, offset, value) => {
  const encoded = encodeFileHeader(createFileHeader({ kind: 'personal', plainBytes: 1 }))
  encoded[offset] = value

  expect(() => decodeFileHeader(encoded)).toThrow(expect.objectContaining({ code: 'unsupported-version' }))
})
