import { type FileKeys, recordPlainBytes, sealedRecordBytes, sealRecordInto } from '@sallyport/crypto'
import { createExactReader, type ExactReader } from '../exact-reader.ts'
import { FileChangedError, type FileSource } from './file-source.ts'
import type { Chunk } from './plan.ts'

interface SealChunk {
  readonly file: FileSource
  readonly keys: FileKeys
  readonly chunk: Chunk
  /** At least as long as the sealed chunk. */
  readonly target: Uint8Array<ArrayBuffer>
  /** Two buffers of a record each, used again for every chunk. */
  readonly buffers: ArrayBuffer[]
  /** Told after each record how many plain bytes of the chunk are sealed. */
  readonly onSealed: (plainBytes: number) => void
  readonly signal: AbortSignal
}

/** Reads one record while the one before it is being sealed. Gives the sealed chunk, which lies in the target. */
export async function sealChunk(work: SealChunk): Promise<Uint8Array<ArrayBuffer>> {
  const { file, chunk, target } = work
  const reader = createExactReader(file.slice(chunk.start, chunk.end).stream())
  try {
    await sealRecords(work, reader)
    return target.subarray(0, chunk.sealedBytes)
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function sealRecords(work: SealChunk, reader: ExactReader): Promise<void> {
  const { keys, chunk, target, buffers, onSealed, signal } = work
  let offset = 0
  let sealedPlain = 0
  let sealing: Promise<void> = Promise.resolve()

  for (let index = chunk.firstRecord; index < chunk.firstRecord + chunk.recordCount; index += 1) {
    signal.throwIfAborted()
    const size = recordPlainBytes(keys.header, index)
    const buffer = buffers.pop() ?? new ArrayBuffer(keys.header.recordBytes)
    const [plain] = await Promise.all([readRecord(reader, buffer, size), sealing])
    const at = offset
    offset += sealedRecordBytes(keys.header, index)
    sealing = sealRecordInto({ keys, index, plain, target, offset: at }).then(() => {
      buffers.push(plain.buffer)
      sealedPlain += size
      onSealed(sealedPlain)
    })
    // Looked at in the next round or below; until then a failure must not count as unhandled.
    sealing.catch(() => undefined)
  }
  await sealing
}

async function readRecord(reader: ExactReader, buffer: ArrayBuffer, size: number): Promise<Uint8Array<ArrayBuffer>> {
  let plain: Uint8Array<ArrayBuffer>
  try {
    plain = await reader.fill(buffer, size)
  } catch (error) {
    throw new FileChangedError({ cause: error })
  }
  if (plain.length < size) throw new FileChangedError()
  return plain
}
