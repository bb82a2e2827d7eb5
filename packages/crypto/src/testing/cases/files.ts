import { sha256 } from '@noble/hashes/sha2.js'
import { largeFileIv, largeFilePlain } from '../large-file.ts'
import { fileSecrets, lockRecord, lockRecords, type Meta, metaFor, type Octets } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import {
  countingBytes,
  fileInput,
  fileKey,
  fileUid,
  ivOf,
  join,
  plainOf,
  recordBytes,
  recordsOf,
  stride,
  threeRecords,
  tinyMeta,
  withByteChanged,
} from './inputs.ts'

const mebibyte = 1024 * 1024

/** Files that must seal and open byte for byte. */
export function validFiles(): VectorCase[] {
  const sizes = [0, 1, 15, 16, 17, 31, 32, 33, 257 * recordBytes, 258 * recordBytes]
  const tiny = sizes.flatMap((size): VectorCase[] => {
    const meta = tinyMeta(size)
    const sealed = join(...recordsOf(meta)).toHex()
    const plain = plainOf(size).toHex()
    const ivs = Array.from({ length: meta.total }, (_, index) => ivOf(index).toHex())
    return [
      {
        name: `seal ${size} bytes`,
        operation: 'seal-file',
        input: { ...fileInput(meta), plain, ivs },
        expect: 'ok',
        output: { sealed },
      },
      {
        name: `open ${size} bytes`,
        operation: 'open-file',
        input: { ...fileInput(meta), sealed },
        expect: 'ok',
        output: { plain },
      },
    ]
  })
  const fromTheMiddle = [1, 2].map(
    (firstRecord): VectorCase => ({
      name: `open from record ${firstRecord}`,
      operation: 'open-file',
      input: {
        ...fileInput(threeRecords),
        sealed: join(...recordsOf(threeRecords).slice(firstRecord)).toHex(),
        firstRecord,
      },
      expect: 'ok',
      output: {
        plain: plainOf(44)
          .slice(firstRecord * recordBytes)
          .toHex(),
      },
    }),
  )
  return [...tiny, ...fromTheMiddle]
}

/** Records of the sizes of real uploads, identified by their hashes. */
export function largeFiles(): VectorCase[] {
  return [4, 8, 16, 32].flatMap((mebibytes) =>
    [0, 1].map((extraBytes): VectorCase => {
      const size = mebibytes * mebibyte + extraBytes
      const meta = metaFor(1, fileUid, size, mebibytes * mebibyte)
      const plain = largeFilePlain(size)
      const sealed = join(...lockRecords(fileKey, meta, { plain, ivOf: largeFileIv }))
      return {
        name: `records of ${mebibytes} MiB, a file of ${size} bytes`,
        operation: 'large-file',
        input: {
          fileKey: fileKey.toHex(),
          fileUid: fileUid.toHex(),
          recordBytes: meta.recordBytes,
          plainBytes: size,
        },
        expect: 'ok',
        output: { plainSha256: sha256(plain).toHex(), sealedSha256: sha256(sealed).toHex() },
      }
    }),
  )
}

type ErrorCase = readonly [what: string, sealed: Octets, outcome: Outcome]
interface Outcome {
  readonly expect: 'damaged' | 'truncated'
  readonly recordIndex?: number
  readonly mostPlainBytes: number
}

const damagedAt = (recordIndex: number): Outcome => ({
  expect: 'damaged',
  recordIndex,
  mostPlainBytes: recordIndex * recordBytes,
})
const truncatedAt = (recordIndex: number): Outcome => ({ ...damagedAt(recordIndex), expect: 'truncated' })
const excess: Outcome = { expect: 'damaged', mostPlainBytes: 44 }

const errorCases = (meta: Meta, cases: readonly ErrorCase[]): VectorCase[] =>
  cases.map(([what, sealed, outcome]) => ({
    name: `refuse ${what}`,
    operation: 'open-file',
    input: { ...fileInput(meta), sealed: sealed.toHex() },
    ...outcome,
  }))

/** Files that were cut, reordered, repeated or changed. */
export function invalidFiles(): VectorCase[] {
  const meta = threeRecords
  const [first, middle, last] = recordsOf(meta) as [Octets, Octets, Octets]
  const whole = join(first, middle, last)
  const secrets = fileSecrets(fileKey, meta)
  const locked = (index: number, plain: Octets, isLast: boolean) =>
    lockRecord({ secrets, meta, index, last: isLast }, ivOf(index), plain)
  const earlierUid = countingBytes(0x70, 16)
  const earlierUpload = recordsOf(tinyMeta(44, earlierUid), countingBytes(0x60, 32))
  const sameKeyOtherUid = recordsOf(tinyMeta(44, earlierUid))
  const otherFile = recordsOf(metaFor(1, countingBytes(0xd0, 16), 44, recordBytes), countingBytes(0xe0, 32))
  const at = (index: number) => index * stride
  const spliced = (from: Octets[]) => join(first, from[1] as Octets, last)

  return errorCases(meta, [
    ['a file without its last record', join(first, middle), truncatedAt(2)],
    [
      'a record in the middle that says it is the last',
      join(first, locked(1, plainOf(32).slice(16), true), last),
      damagedAt(1),
    ],
    ['a last record that does not say so', join(first, middle, locked(2, plainOf(44).slice(32), false)), damagedAt(2)],
    [
      'an empty last record where bytes are due',
      join(first, middle, locked(2, new Uint8Array(0), true)),
      truncatedAt(2),
    ],
    [
      'a record in the middle that is too short',
      join(first, locked(1, plainOf(31).slice(16), false), last),
      damagedAt(1),
    ],
    [
      'a record in the middle that is too long',
      join(first, locked(1, plainOf(33).slice(16), false), last),
      damagedAt(1),
    ],
    ['a first record without its tag', join(first.slice(0, -16), middle, last), damagedAt(0)],
    ['a last record without its tag', whole.slice(0, -16), truncatedAt(2)],
    ['a last record that lacks a byte', whole.slice(0, -1), truncatedAt(2)],
    ['1 byte after the last record', join(whole, Uint8Array.of(0)), excess],
    ['27 bytes after the last record', join(whole, new Uint8Array(27)), excess],
    ['28 bytes after the last record', join(whole, new Uint8Array(28)), excess],
    ['the last record twice', join(whole, last), excess],
    ['the whole file twice', join(whole, whole), excess],
    ['the first two records swapped', join(middle, first, last), damagedAt(0)],
    ['the last two records swapped', join(first, last, middle), damagedAt(1)],
    ['the first record in place of the second', join(first, first, last), damagedAt(1)],
    ['the first record put in twice', join(first, first, middle, last), damagedAt(1)],
    ['a file without its middle record', join(first, last), truncatedAt(1)],
    ['a file without its first record', join(middle, last), damagedAt(0)],
    ['a changed IV in the first record', withByteChanged(whole, at(0)), damagedAt(0)],
    ['a changed IV in the middle record', withByteChanged(whole, at(1) + 11), damagedAt(1)],
    ['a changed IV in the last record', withByteChanged(whole, at(2) + 5), damagedAt(2)],
    ['a changed byte in the first record', withByteChanged(whole, at(0) + 12), damagedAt(0)],
    ['a changed byte in the middle record', withByteChanged(whole, at(1) + 20), damagedAt(1)],
    ['a changed byte in the last record', withByteChanged(whole, at(2) + 23), damagedAt(2)],
    ['a changed tag in the first record', withByteChanged(whole, at(1) - 1), damagedAt(0)],
    ['a changed tag in the middle record', withByteChanged(whole, at(1) + 28), damagedAt(1)],
    ['a changed tag in the last record', withByteChanged(whole, whole.length - 1, 0x80), damagedAt(2)],
    ['a record of another file of the same account', spliced(otherFile), damagedAt(1)],
    ['a record of an earlier upload of the same file', spliced(earlierUpload), damagedAt(1)],
    ['a record under the same key with another file id', spliced(sameKeyOtherUid), damagedAt(1)],
    ['nothing at all', new Uint8Array(0), truncatedAt(0)],
    ['half an IV', whole.slice(0, 6), truncatedAt(0)],
    ['a file cut within a record', whole.slice(0, 70), truncatedAt(1)],
  ])
}

export function invalidEmptyFiles(): VectorCase[] {
  const meta = tinyMeta(0)
  const secrets = fileSecrets(fileKey, meta)
  const [record] = recordsOf(meta) as [Octets]
  return errorCases(meta, [
    ['an empty file without its record', new Uint8Array(0), truncatedAt(0)],
    ['an empty file without its tag', record.slice(0, 12), truncatedAt(0)],
    [
      'an empty file whose record does not say that it is the last',
      lockRecord({ secrets, meta, index: 0, last: false }, ivOf(0), new Uint8Array(0)),
      damagedAt(0),
    ],
    [
      'an empty file with a byte in it',
      lockRecord({ secrets, meta, index: 0 }, ivOf(0), Uint8Array.of(1)),
      damagedAt(0),
    ],
    ['an empty file with a changed tag', withByteChanged(record, 27), damagedAt(0)],
  ])
}

/** Headers that are valid in themselves but do not belong to the file. */
export function mismatchedHeaders(): VectorCase[] {
  const sealed = join(...recordsOf(threeRecords))
  const headers: readonly (readonly [string, Meta, Octets, Outcome])[] = [
    ['a header with fewer records', { ...threeRecords, total: 2, size: 32 }, sealed.slice(0, 2 * stride), damagedAt(0)],
    ['a header with more records', { ...threeRecords, total: 4, size: 60 }, sealed, damagedAt(0)],
    ['a header that is one byte shorter', { ...threeRecords, size: 43 }, sealed.slice(0, -1), damagedAt(0)],
    ['a header that is one byte longer', { ...threeRecords, size: 45 }, sealed, damagedAt(0)],
    ['a header with larger records', { ...threeRecords, recordBytes: 32, total: 2 }, sealed, damagedAt(0)],
    ['a header with another file id', { ...threeRecords, uid: withByteChanged(fileUid, 15) }, sealed, damagedAt(0)],
    ['a header of another kind', { ...threeRecords, kind: 2 }, sealed, damagedAt(0)],
  ]
  return headers.flatMap(([what, meta, bytes, outcome]) =>
    errorCases(meta, [[what, bytes, { ...outcome, mostPlainBytes: 0 }]]),
  )
}

/** Plain bytes that differ from the header of the upload. */
export function changedWhileSealing(): VectorCase[] {
  const ivs = [0, 1, 2].map((index) => ivOf(index).toHex())
  const errorCase = (what: string, size: number, usedIvs: number, expect: 'truncated' | 'malformed'): VectorCase => ({
    name: `refuse to seal ${what}`,
    operation: 'seal-file',
    input: { ...fileInput(threeRecords), plain: plainOf(size).toHex(), ivs: ivs.slice(0, usedIvs) },
    expect,
  })
  return [
    errorCase('a file that became shorter', 43, 2, 'truncated'),
    errorCase('a file that became empty', 0, 0, 'truncated'),
    errorCase('a file that became longer', 45, 3, 'malformed'),
  ]
}
