import {
  type FileHeader,
  type FileKeys,
  imprintOf,
  recordOverheadBytes,
  recordPlainBytes,
  sealedRecordBytes,
  sealRecordInto,
} from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import { FileChangedError, type FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'
import type { SealedPlace } from './sealed-places.ts'

interface SealChunk {
  readonly file: FileSource
  readonly keys: FileKeys
  readonly chunk: Chunk
  readonly place: SealedPlace
  readonly buffers: RecordBuffers
  /** Told after each record how many plain bytes of the chunk are sealed. */
  readonly onSealed: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Used again for every chunk of a lane. */
interface RecordBuffers {
  /** Up to two, of a record each. */
  readonly plain: ArrayBuffer[]
  readonly sealed: Uint8Array<ArrayBuffer>
}

export const createRecordBuffers = (header: FileHeader): RecordBuffers => ({
  plain: [],
  sealed: new Uint8Array(sealedRecordBytes(header, 0)),
})

/** Reads one record while the one before it is being sealed and put in its place. Gives their imprints, end to end. */
export async function sealChunk(work: SealChunk): Promise<Uint8Array<ArrayBuffer>> {
  const { file, chunk } = work
  const reader = createExactReader(file.slice(chunk.start, chunk.end).stream())
  try {
    return await sealRecords(work, reader)
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function sealRecords(work: SealChunk, reader: ExactReader): Promise<Uint8Array<ArrayBuffer>> {
  const { keys, chunk, place, buffers, onSealed, signal } = work
  const imprints = new Uint8Array(chunk.recordCount * recordOverheadBytes)
  let offset = 0
  let sealedPlain = 0
  let sealing: Promise<void> = Promise.resolve()

  const sealOne = async (index: number, plain: Uint8Array<ArrayBuffer>, position: number): Promise<void> => {
    const target = buffers.sealed.subarray(0, sealedRecordBytes(keys.header, index))
    await sealRecordInto({ keys, index, plain, target, offset: 0 })
    place.write(target, position)
    imprints.set(imprintOf(target), (index - chunk.firstRecord) * recordOverheadBytes)
    buffers.plain.push(plain.buffer)
    sealedPlain += plain.length
    onSealed(sealedPlain)
  }

  for (let index = chunk.firstRecord; index < chunk.firstRecord + chunk.recordCount; index += 1) {
    signal.throwIfAborted()
    const buffer = buffers.plain.pop() ?? new ArrayBuffer(keys.header.recordBytes)
    const [plain] = await Promise.all([readRecord(reader, buffer, recordPlainBytes(keys.header, index)), sealing])
    sealing = sealOne(index, plain, offset)
    offset += sealedRecordBytes(keys.header, index)
    // Looked at in the next round or below; until then a failure must not count as unhandled.
    sealing.catch(() => undefined)
  }
  await sealing
  return imprints
}

/** Reads a record whole. Throws a `FileChangedError` where the file does not give it. */
export async function readRecord(
  reader: ExactReader,
  buffer: ArrayBuffer,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let plain: Uint8Array<ArrayBuffer>
  try {
    plain = await reader.fill(buffer, size)
  } catch (error) {
    throw new FileChangedError({ cause: error })
  }
  if (plain.length < size) throw new FileChangedError()
  return plain
}
