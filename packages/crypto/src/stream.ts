import type { Bytes } from './bytes.ts'
import { CryptoError } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { createFrameSplitter } from './frames.ts'
import { openRecord, sealRecord } from './record.ts'
import { recordPlainBytes, sealedRecordBytes } from './sizes.ts'

export interface OpenStreamOptions {
  /** The record of the first byte of the stream. */
  readonly firstRecord?: number
}

/**
 * Transforms the plain bytes of a file, in pieces of any size, into sealed records. Errors if the size differs from the
 * header.
 */
export function sealStream(keys: FileKeys): TransformStream<Uint8Array, Bytes> {
  const { header } = keys
  const frames = createFrameSplitter({
    firstIndex: 0,
    count: header.recordCount,
    frameBytes: (index) => recordPlainBytes(header, index),
  })

  return new TransformStream({
    async transform(piece, controller) {
      for (const { index, bytes } of frames.split(piece)) controller.enqueue(await sealRecord(keys, index, bytes))
      if (frames.excessBytes > 0) throw new CryptoError('malformed', 'The file is longer than its header declares')
    },
    async flush(controller) {
      if (header.plainBytes === 0) controller.enqueue(await sealRecord(keys, 0, new Uint8Array(0)))
      else if (frames.nextIndex < header.recordCount) {
        throw new CryptoError('truncated', 'The file is shorter than its header declares', frames.nextIndex)
      }
    },
  })
}

/**
 * Transforms sealed records, in pieces of any size, into plain bytes. Bytes are emitted only after the tag of their
 * record is verified, and the stream closes only after the last record; anything else errors it.
 */
export function openStream(
  keys: FileKeys,
  { firstRecord = 0 }: OpenStreamOptions = {},
): TransformStream<Uint8Array, Bytes> {
  const { header } = keys
  const frames = createFrameSplitter({
    firstIndex: firstRecord,
    count: header.recordCount,
    frameBytes: (index) => sealedRecordBytes(header, index),
  })

  return new TransformStream({
    start() {
      // Rejects a first record beyond the end of the file before a byte is read.
      sealedRecordBytes(header, firstRecord)
    },
    async transform(piece, controller) {
      for (const { index, bytes } of frames.split(piece)) controller.enqueue(await openRecord(keys, index, bytes))
      if (frames.excessBytes > 0) throw new CryptoError('damaged', 'Bytes follow the last record')
    },
    flush() {
      if (frames.nextIndex < header.recordCount) {
        throw new CryptoError('truncated', 'The file ends before its last record', frames.nextIndex)
      }
    },
  })
}
