import { hasCode } from '@sallyport/client/errors'
import { ignore } from '@sallyport/contract/ignore'
import { type FileKeys, matchesRecordDigest, recordOverheadBytes, recordPlainBytes } from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import type { FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import { readRecord } from './seal-chunk.ts'

interface CheckChunkInput {
  readonly file: FileSource
  readonly keys: FileKeys
  readonly chunk: Chunk
  /** The digests of all its records, concatenated. */
  readonly recordDigests: Uint8Array
  readonly signal: AbortSignal
}

/**
 * Whether a chunk of the file still has the bytes that its record digests were made from. False for an unreadable
 * chunk.
 */
export async function isChunkUnchanged(input: CheckChunkInput): Promise<boolean> {
  const { file, chunk, recordDigests, signal } = input
  if (recordDigests.length !== chunk.recordCount * recordOverheadBytes) return false
  const reader = createExactReader(file.slice(chunk.start, chunk.end).stream())
  try {
    return await areRecordsUnchanged(input, reader)
  } catch (error) {
    signal.throwIfAborted()
    if (hasCode(error, 'FILE_CHANGED')) return false
    throw error
  } finally {
    reader.cancel().catch((error) => ignore(error, 'the chunk was compared'))
  }
}

async function areRecordsUnchanged({ keys, chunk, recordDigests, signal }: CheckChunkInput, reader: ExactReader) {
  let buffer = new ArrayBuffer(keys.header.recordBytes)
  for (let position = 0; position < chunk.recordCount; position += 1) {
    signal.throwIfAborted()
    const index = chunk.firstRecord + position
    const plain = await readRecord(reader, buffer, recordPlainBytes(keys.header, index))
    const recordDigest = recordDigests.subarray(position * recordOverheadBytes, (position + 1) * recordOverheadBytes)
    if (!(await matchesRecordDigest(keys, { index, plain, recordDigest }))) return false
    buffer = plain.buffer
  }
  return true
}
