import { type FileKeys, isImprintOf, recordOverheadBytes, recordPlainBytes } from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import { FileChangedError, type FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import { readRecord } from './seal-chunk.ts'

interface CheckChunk {
  readonly file: FileSource
  readonly keys: FileKeys
  readonly chunk: Chunk
  /** Of all its records, end to end. */
  readonly imprints: Uint8Array
  readonly signal: AbortSignal
}

/** Whether a chunk of the file has the bytes its imprints were made from. One that cannot be read has not. */
export async function isChunkUnchanged(work: CheckChunk): Promise<boolean> {
  const { file, chunk, imprints, signal } = work
  if (imprints.length !== chunk.recordCount * recordOverheadBytes) return false
  const reader = createExactReader(file.slice(chunk.start, chunk.end).stream())
  try {
    return await areRecordsUnchanged(work, reader)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FileChangedError) return false
    throw error
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function areRecordsUnchanged({ keys, chunk, imprints, signal }: CheckChunk, reader: ExactReader) {
  let buffer = new ArrayBuffer(keys.header.recordBytes)
  for (let place = 0; place < chunk.recordCount; place += 1) {
    signal.throwIfAborted()
    const index = chunk.firstRecord + place
    const plain = await readRecord(reader, buffer, recordPlainBytes(keys.header, index))
    const imprint = imprints.subarray(place * recordOverheadBytes, (place + 1) * recordOverheadBytes)
    if (!(await isImprintOf(keys, { index, plain, imprint }))) return false
    buffer = plain.buffer
  }
  return true
}
