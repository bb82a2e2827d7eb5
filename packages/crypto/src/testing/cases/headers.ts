import type { CryptoErrorCode } from '../../errors.ts'
import { headerOf, type Meta, metaFor, type Octets } from '../second-ef1.ts'
import type { VectorCase } from '../vector-case.ts'
import { fileUid, join, withBytesReplaced } from './inputs.ts'

const kibibyte = 1024
const standard = metaFor(1, fileUid, 1_000_000, 512 * kibibyte)

export function validHeaders(): VectorCase[] {
  const kinds = ['personal', 'session', 'portal']
  const metas: readonly Meta[] = [
    standard,
    metaFor(2, fileUid, 0, 64 * kibibyte),
    metaFor(3, fileUid, 1, 32 * kibibyte * kibibyte),
    metaFor(1, fileUid, 50_000_000_000, 4 * kibibyte * kibibyte),
  ]
  return metas.map((meta) => ({
    name: `read a header of ${meta.size} bytes in ${meta.total} records`,
    operation: 'decode-header',
    input: { header: headerOf(meta).toHex() },
    expect: 'ok',
    output: {
      kind: kinds[meta.kind - 1] ?? '',
      recordBytes: meta.recordBytes,
      recordCount: meta.total,
      plainBytes: meta.size,
      fileUid: fileUid.toHex(),
    },
  }))
}

export function invalidHeaders(): VectorCase[] {
  const valid = headerOf(standard)
  const standardWith = (changed: Partial<Meta>): Octets => headerOf({ ...standard, ...changed })
  const errorCases: readonly (readonly [string, Octets, CryptoErrorCode])[] = [
    ['version 0', standardWith({ version: 0 }), 'unsupported-version'],
    ['version 2', standardWith({ version: 2 }), 'unsupported-version'],
    ['suite 0', standardWith({ suite: 0 }), 'unsupported-version'],
    ['suite 255', standardWith({ suite: 255 }), 'unsupported-version'],
    ['kind 0', standardWith({ kind: 0 }), 'unsupported-version'],
    ['kind 4', standardWith({ kind: 4 }), 'unsupported-version'],
    ['the reserved byte set', standardWith({ reserved: 1 }), 'unsupported-version'],
    ['another magic', withBytesReplaced(valid, 3, Uint8Array.of(0x43)), 'malformed'],
    ['one record too few', standardWith({ total: standard.total - 1 }), 'malformed'],
    ['one record too many', standardWith({ total: standard.total + 1 }), 'malformed'],
    ['no record', standardWith({ total: 0 }), 'malformed'],
    ['no record for an empty file', standardWith({ total: 0, size: 0 }), 'malformed'],
    ['two records for an empty file', standardWith({ total: 2, size: 0 }), 'malformed'],
    ['a size that needs another record', standardWith({ size: 2 * 512 * kibibyte + 1 }), 'malformed'],
    ['a size that needs a record less', standardWith({ size: 512 * kibibyte }), 'malformed'],
    ['records of 0 bytes', standardWith({ recordBytes: 0 }), 'malformed'],
    ['records of one byte less than 512 KiB', standardWith({ recordBytes: 512 * kibibyte - 1 }), 'malformed'],
    ['records of one byte more than 512 KiB', standardWith({ recordBytes: 512 * kibibyte + 1 }), 'malformed'],
    ['records of 32 KiB', headerOf(metaFor(1, fileUid, 1_000_000, 32 * kibibyte)), 'malformed'],
    ['records of 64 MiB', headerOf(metaFor(1, fileUid, 1_000_000, 64 * kibibyte * kibibyte)), 'malformed'],
    ['records that are no power of two', headerOf(metaFor(1, fileUid, 1_000_000, 96 * kibibyte)), 'malformed'],
    ['a size of 2^53 bytes', withBytesReplaced(valid, 32, Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0, 0)), 'malformed'],
    ['the largest size there could be', withBytesReplaced(valid, 32, new Uint8Array(8).fill(255)), 'malformed'],
    ['a size whose records cannot be counted', standardWith({ total: 0xffff_ffff, size: 2 ** 52 }), 'malformed'],
    ['39 bytes', valid.slice(0, 39), 'truncated'],
    ['no bytes', new Uint8Array(0), 'truncated'],
    ['41 bytes', join(valid, Uint8Array.of(0)), 'malformed'],
  ]
  return errorCases.map(([what, header, expect]) => ({
    name: `refuse a header with ${what}`,
    operation: 'decode-header',
    input: { header: header.toHex() },
    expect,
  }))
}
