import { ClientError } from '@sallyport/client/errors'
import { ignore } from '@sallyport/contract/ignore'
import {
  type FileHeader,
  type FileKeys,
  recordDigestOf,
  recordOverheadBytes,
  recordPlainBytes,
  sealedRecordBytes,
  sealRecordInto,
} from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import type { FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import type { SealedBuffer } from './sealed-buffers.ts'

interface SealChunkInput {
  readonly file: FileSource
  readonly keys: FileKeys
  readonly chunk: Chunk
  readonly sealedBuffer: SealedBuffer
  readonly buffers: RecordBuffers
  /** Called after each record with the number of plain bytes of the chunk that are sealed. */
  readonly onSealed: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Reused for every chunk of a worker. */
interface RecordBuffers {
  /** Up to two buffers of one record each. */
  readonly plain: ArrayBuffer[]
  readonly sealed: Uint8Array<ArrayBuffer>
}

export const createRecordBuffers = (header: FileHeader): RecordBuffers => ({
  plain: [],
  sealed: new Uint8Array(sealedRecordBytes(header, 0)),
})

/** Seals a chunk and reads the next record meanwhile. Returns the digests of its records, concatenated. */
export async function sealChunk(input: SealChunkInput): Promise<Uint8Array<ArrayBuffer>> {
  const { file, chunk } = input
  const reader = createExactReader(file.slice(chunk.start, chunk.end).stream())
  try {
    return await sealRecords(input, reader)
  } finally {
    reader.cancel().catch((error) => ignore(error, 'the file was read'))
  }
}

async function sealRecords(input: SealChunkInput, reader: ExactReader): Promise<Uint8Array<ArrayBuffer>> {
  const { keys, chunk, sealedBuffer, buffers, onSealed, signal } = input
  const recordDigests = new Uint8Array(chunk.recordCount * recordOverheadBytes)
  let offset = 0
  let sealedPlain = 0
  let sealing: Promise<void> = Promise.resolve()

  const sealOne = async (index: number, plain: Uint8Array<ArrayBuffer>, position: number): Promise<void> => {
    const target = buffers.sealed.subarray(0, sealedRecordBytes(keys.header, index))
    await sealRecordInto({ keys, index, plain, target, offset: 0 })
    sealedBuffer.write(target, position)
    recordDigests.set(recordDigestOf(target), (index - chunk.firstRecord) * recordOverheadBytes)
    buffers.plain.push(plain.buffer)
    sealedPlain += plain.length
    onSealed(sealedPlain)
  }

  for (let index = chunk.firstRecord; index < chunk.firstRecord + chunk.recordCount; index += 1) {
    signal.throwIfAborted()
    const buffer = buffers.plain.pop() ?? new ArrayBuffer(recordPlainBytes(keys.header, 0))
    const [plain] = await Promise.all([readRecord(reader, buffer, recordPlainBytes(keys.header, index)), sealing])
    sealing = sealOne(index, plain, offset)
    offset += sealedRecordBytes(keys.header, index)
    // Awaited in the next iteration or below; until then a rejection must not count as unhandled.
    sealing.catch((error) => ignore(error, 'it is awaited later'))
  }
  await sealing
  return recordDigests
}

/** Reads a whole record. Throws `FILE_CHANGED` if the file does not contain it. */
export async function readRecord(
  reader: ExactReader,
  buffer: ArrayBuffer,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let plain: Uint8Array<ArrayBuffer>
  try {
    plain = await reader.fill(buffer, size)
  } catch (error) {
    throw new ClientError('FILE_CHANGED', { cause: error })
  }
  if (plain.length < size) throw new ClientError('FILE_CHANGED')
  return plain
}
