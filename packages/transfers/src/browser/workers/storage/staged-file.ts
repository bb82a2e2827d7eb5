import { type Bytes, type FileKeys, recordPlainBytes, sealRecord } from '@sallyport/crypto'
import type { DecryptOptions, EncryptedRecordStore } from './encrypted-record-store.ts'

/** Records held decrypted at once, so that consecutive writes encrypt a record once. */
const maxCachedRecords = 3

export type StagedFile = ReturnType<typeof createStagedFile>

/**
 * A file assembled from pieces of any length and in any order. The disk only ever holds encrypted records.
 * Calls take effect in the order in which they are made.
 */
export function createStagedFile(recordStore: EncryptedRecordStore, keys: FileKeys) {
  const { header } = keys
  /** Records that changed since they were put, the least recently used first. */
  const cachedRecords = new Map<number, Bytes>()
  let queue: Promise<unknown> = Promise.resolve()

  function enqueue<Result>(step: () => Promise<Result>): Promise<Result> {
    const next = queue.then(step)
    queue = next.catch(() => undefined)
    return next
  }

  const put = async (index: number, plain: Uint8Array): Promise<void> =>
    recordStore.put(index * header.recordBytes, await sealRecord(keys, index, plain))

  /** The record, to be changed; another one is put to make room for it. */
  async function cacheRecord(index: number): Promise<Bytes> {
    const plain =
      cachedRecords.get(index) ?? (await recordStore.read(index)) ?? new Uint8Array(recordPlainBytes(header, index))
    cachedRecords.delete(index)
    cachedRecords.set(index, plain)
    const [oldest] = cachedRecords
    if (oldest && cachedRecords.size > maxCachedRecords) {
      await put(...oldest)
      cachedRecords.delete(oldest[0])
    }
    return plain
  }

  async function write(piece: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      const { index, start } = recordAt(position + at)
      const length = recordPlainBytes(header, index)
      const part = piece.subarray(at, at + length - start)
      if (part.length < length) (await cacheRecord(index)).set(part, start)
      else {
        cachedRecords.delete(index)
        await put(index, part)
      }
      at += part.length
    }
  }

  async function read(position: number, length: number): Promise<Bytes> {
    const bytes = new Uint8Array(length)
    let filled = 0
    while (filled < length && position + filled < header.plainBytes) {
      const { index, start } = recordAt(position + filled)
      const plain = cachedRecords.get(index) ?? (await recordStore.read(index))
      if (!plain) break
      const part = plain.subarray(start, start + length - filled)
      bytes.set(part, filled)
      filled += part.length
    }
    return bytes.subarray(0, filled)
  }

  const recordAt = (position: number) => {
    const index = Math.floor(position / header.recordBytes)
    return { index, start: position - index * header.recordBytes }
  }

  async function flushCached(): Promise<void> {
    for (const [index, plain] of cachedRecords) {
      await put(index, plain)
      cachedRecords.delete(index)
    }
  }

  return {
    /** The bytes are free for other use once this has settled. */
    write: (piece: Uint8Array, position: number): Promise<void> => enqueue(() => write(piece, position)),
    /** What was written; shorter where nothing was. Rejects where it was changed on the disk. */
    read: (position: number, length: number): Promise<Bytes> => enqueue(() => read(position, length)),
    /** Puts the records that are only held in memory. */
    flushCached: (): Promise<void> => enqueue(flushCached),
    /** Decrypts the first `length` bytes where they lie. Nothing is written afterwards. */
    decrypt: (length: number, options: DecryptOptions = {}): Promise<void> =>
      enqueue(async () => {
        await flushCached()
        await recordStore.decryptAll({ length, ...options })
      }),
  }
}
