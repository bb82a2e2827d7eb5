import { type Bytes, type FileKeys, recordPlainBytes, sealRecord } from '@sallyport/crypto'
import type { SealedPlace } from './sealed-place.ts'

/** So many records are held decrypted, so that bytes that come one behind the other are encrypted once. */
const mostHeld = 3

export type StagedFile = ReturnType<typeof createStagedFile>

/**
 * A file that is put together from pieces of any length, in any order, of which the disk only ever holds encrypted
 * records. Calls take effect in the order in which they are made.
 */
export function createStagedFile(place: SealedPlace, keys: FileKeys) {
  const { header } = keys
  /** Records that changed since they were put, the least recently used first. */
  const held = new Map<number, Bytes>()
  let last: Promise<unknown> = Promise.resolve()

  function inOrder<Result>(step: () => Promise<Result>): Promise<Result> {
    const next = last.then(step)
    last = next.catch(() => undefined)
    return next
  }

  const put = async (index: number, plain: Uint8Array): Promise<void> =>
    place.put(index * header.recordBytes, await sealRecord(keys, index, plain))

  /** The record, to be changed; another one is put to make room for it. */
  async function hold(index: number): Promise<Bytes> {
    const plain = held.get(index) ?? (await place.read(index)) ?? new Uint8Array(recordPlainBytes(header, index))
    held.delete(index)
    held.set(index, plain)
    const [oldest] = held
    if (oldest && held.size > mostHeld) {
      await put(...oldest)
      held.delete(oldest[0])
    }
    return plain
  }

  async function write(piece: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      const { index, start } = recordAt(position + at)
      const length = recordPlainBytes(header, index)
      const part = piece.subarray(at, at + length - start)
      if (part.length < length) (await hold(index)).set(part, start)
      else {
        held.delete(index)
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
      const plain = held.get(index) ?? (await place.read(index))
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

  async function sealHeld(): Promise<void> {
    for (const [index, plain] of held) {
      await put(index, plain)
      held.delete(index)
    }
  }

  return {
    /** The bytes are free for other use once this has settled. */
    write: (piece: Uint8Array, position: number): Promise<void> => inOrder(() => write(piece, position)),
    /** What was written; shorter where nothing was. Rejects where it was changed on the disk. */
    read: (position: number, length: number): Promise<Bytes> => inOrder(() => read(position, length)),
    /** Puts the records that are only held in memory. */
    sealHeld: (): Promise<void> => inOrder(sealHeld),
    /** Decrypts the first `length` bytes where they lie. Nothing is written afterwards. */
    decrypt: (length: number): Promise<void> =>
      inOrder(async () => {
        await sealHeld()
        await place.decryptAll(length)
      }),
  }
}
