import type { Clock } from '@sallyport/client/clock'
import { type FileKeys, recordOverheadBytes as noteBytes } from '@sallyport/crypto'

/**
 * Digests of this many records, or of this many milliseconds, are written together, because each write blocks the whole
 * browser.
 */
const batchRecords = 8
const batchMs = 500

/** The part of a synchronous file handle that the log uses. */
export interface SyncFile {
  getSize(): number
  read(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  truncate(size: number): void
}

/** A log file that is never written to disk. */
export const nullSyncFile: SyncFile & { flush(): void } = {
  getSize: () => 0,
  read: () => 0,
  write: (bytes) => bytes.length,
  truncate: () => undefined,
  flush: () => undefined,
}

export type RecordDigestLog = ReturnType<typeof createRecordDigestLog>

/**
 * Stores the digest of each record that was written. Digests are buffered and written in batches; an all-zero entry
 * means that the record is missing.
 */
export function createRecordDigestLog(file: SyncFile, keys: Pick<FileKeys, 'header'>, clock: Pick<Clock, 'now'>) {
  const { recordCount } = keys.header
  const size = recordCount * noteBytes
  const digests = new Uint8Array(size)
  const unwritten = new Set<number>()
  let writtenAt = clock.now()
  if (file.getSize() === size) file.read(digests, { at: 0 })
  else file.truncate(size)

  const digestOf = (index: number) => digests.subarray(index * noteBytes, (index + 1) * noteBytes)

  /** Writes the buffered digests, adjacent ones in a single write. */
  function flush(): void {
    const indexes = [...unwritten].sort((one, other) => one - other)
    for (let from = 0, to = 1; from < indexes.length; from = to, to += 1) {
      const first = indexes[from] ?? 0
      while (indexes[to] === first + to - from) to += 1
      file.write(digests.subarray(first * noteBytes, (first + to - from) * noteBytes), { at: first * noteBytes })
    }
    unwritten.clear()
    writtenAt = clock.now()
  }

  return {
    has: (index: number): boolean => digestOf(index).some((byte) => byte !== 0),
    recordDigest: digestOf,
    add(index: number, digest: Uint8Array): void {
      digestOf(index).set(digest)
      unwritten.add(index)
      if (unwritten.size >= batchRecords || clock.now() - writtenAt >= batchMs) flush()
    },
    flush,
    /** Empties the log on the disk for later attempts; this one keeps its digests in memory. */
    discardFile(): void {
      unwritten.clear()
      file.truncate(0)
    },
    clear(): void {
      unwritten.clear()
      digests.fill(0)
      file.truncate(0)
      file.truncate(size)
    },
  }
}
