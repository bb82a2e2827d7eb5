import type { Bytes } from './bytes.ts'
import { CryptoError } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { createFrameCutter } from './frames.ts'
import { openRecord, sealRecord } from './record.ts'
import { recordPlainBytes, sealedRecordBytes } from './sizes.ts'

export interface OpenStreamOptions {
  /** The record that the first byte of the stream belongs to. */
  readonly firstRecord?: number
}

/** Turns the plain bytes of a file, in pieces of any size, into sealed records. Fails when the size is not as promised. */
export function sealStream(keys: FileKeys): TransformStream<Uint8Array, Bytes> {
  const { header } = keys
  const frames = createFrameCutter({
    firstIndex: 0,
    count: header.recordCount,
    frameBytes: (index) => recordPlainBytes(header, index),
  })

  return new TransformStream({
    async transform(piece, controller) {
      for (const { index, bytes } of frames.cut(piece)) controller.enqueue(await sealRecord(keys, index, bytes))
      if (frames.excessBytes > 0) throw new CryptoError('malformed', 'The file is longer than its header promises')
    },
    async flush(controller) {
      if (header.plainBytes === 0) controller.enqueue(await sealRecord(keys, 0, new Uint8Array(0)))
      else if (frames.nextIndex < header.recordCount) {
        throw new CryptoError('truncated', 'The file is shorter than its header promises', frames.nextIndex)
      }
    },
  })
}

/**
 * Turns sealed records, in pieces of any size, into plain bytes. A byte comes out only after the tag of its record was
 * verified, and the stream ends well only after the last record was; anything else errors it.
 */
export function openStream(
  keys: FileKeys,
  { firstRecord = 0 }: OpenStreamOptions = {},
): TransformStream<Uint8Array, Bytes> {
  const { header } = keys
  const frames = createFrameCutter({
    firstIndex: firstRecord,
    count: header.recordCount,
    frameBytes: (index) => sealedRecordBytes(header, index),
  })

  return new TransformStream({
    start() {
      // Refuses a first record that the file does not have before a byte is read.
      sealedRecordBytes(header, firstRecord)
    },
    async transform(piece, controller) {
      for (const { index, bytes } of frames.cut(piece)) controller.enqueue(await openRecord(keys, index, bytes))
      if (frames.excessBytes > 0) throw new CryptoError('damaged', 'Bytes follow the last record')
    },
    flush() {
      if (frames.nextIndex < header.recordCount) {
        throw new CryptoError('truncated', 'The file ends before its last record', frames.nextIndex)
      }
    },
  })
}
