import { ClientError } from '@sallyport/client/errors'
import {
  type Bytes,
  type FileKeys,
  joinRecord,
  openRecord,
  recordBody,
  recordDigestOf,
  recordPlainBytes,
} from '@sallyport/crypto'
import type { RecordRange } from '../../../engine/download/plan.ts'
import type { RecordDigestLog, SyncFile } from './record-digest-log.ts'

export type EncryptedRecordStore = ReturnType<typeof createEncryptedRecordStore>

export interface DecryptOptions {
  /** Only this many plain bytes from the beginning. */
  readonly length?: number
  /** Called with the plain bytes that were decrypted since the last call. */
  readonly onDecrypted?: (plainBytes: number) => void
  readonly signal?: AbortSignal
}

interface EncryptedRecordStoreInput {
  /** Has the length of the plain file from the beginning. */
  readonly bytes: SyncFile
  readonly digestLog: RecordDigestLog
  readonly keys: FileKeys
}

/**
 * The records of a file being received, encrypted as they arrived: the disk holds nothing that can be read without the file
 * key. A record without its IV and tag is as long as its plain bytes, so each lies where those will be.
 */
export function createEncryptedRecordStore({ bytes, digestLog, keys }: EncryptedRecordStoreInput) {
  const { header } = keys

  function write(data: Uint8Array<ArrayBuffer>, position: number): void {
    if (bytes.write(data, { at: position }) !== data.length) throw new ClientError('STORAGE_FULL')
  }

  /** Null when the record is not there as it came. */
  async function open(index: number): Promise<Bytes | null> {
    const body = new Uint8Array(recordPlainBytes(header, index))
    if (bytes.read(body, { at: index * header.recordBytes }) !== body.length) return null
    return openRecord(keys, index, joinRecord(digestLog.recordDigest(index), body)).catch(() => null)
  }

  return {
    put(position: number, sealed: Uint8Array<ArrayBuffer>): void {
      write(recordBody(sealed), position)
      digestLog.add(position / header.recordBytes, recordDigestOf(sealed))
    },

    /** A record that was put, decrypted; null where none was. Rejects where it was changed since. */
    async read(index: number): Promise<Bytes | null> {
      if (!digestLog.has(index)) return null
      const plain = await open(index)
      if (!plain) throw new ClientError('STAGED_FILE_CHANGED')
      return plain
    },

    /**
     * The records that are there, each opened to see: after a power cut a digest may be on the disk and its bytes not.
     * Without any the log is cleared.
     */
    async findStored(): Promise<RecordRange[]> {
      const ranges: { first: number; end: number }[] = []
      for (let index = 0; index < header.recordCount; index += 1) {
        if (!digestLog.has(index) || !(await open(index))) continue
        const last = ranges.at(-1)
        if (last?.end === index) last.end = index + 1
        else ranges.push({ first: index, end: index + 1 })
      }
      if (ranges.length === 0) digestLog.clear()
      return ranges
    },

    /**
     * Decrypts the file in place, or its first `length` bytes. From here on no record counts as stored: what a crash or an
     * abort leaves is removed by the next visit. Rejects with the signal's reason when aborted.
     */
    async decryptAll({ length = header.plainBytes, onDecrypted, signal }: DecryptOptions = {}): Promise<void> {
      digestLog.discardFile()
      const count = Math.min(header.recordCount, Math.ceil(length / header.recordBytes))
      let next = open(0)
      for (let index = 0; index < count; index += 1) {
        const plain = await next
        signal?.throwIfAborted()
        // The next record is decrypted while this one is written.
        if (index + 1 < count) next = open(index + 1)
        if (!plain) throw new ClientError('STAGED_FILE_CHANGED')
        write(plain, index * header.recordBytes)
        onDecrypted?.(plain.length)
      }
    },
  }
}
