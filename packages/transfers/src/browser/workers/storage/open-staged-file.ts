import { createFileHeader, createFileKey, deriveFileKeys, type FileKeys } from '@sallyport/crypto'
import { openResumableFile, openTemporaryFile } from './encrypted-file.ts'
import type { DecryptOptions } from './encrypted-record-store.ts'
import { createStagedFile, type StagedFile } from './staged-file.ts'

/** The length of a portal block, so that each block is encrypted once. */
const recordBytes = 1024 * 1024

export interface OpenStagedFile extends Pick<StagedFile, 'write' | 'read'> {
  /** Encrypts and writes everything, so that it outlives this page. */
  flush(): Promise<void>
  /** Decrypts the first `length` bytes in place, for the browser to copy, and closes the file. */
  finish(length: number, options?: DecryptOptions): Promise<void>
  /** Writes everything and closes the file. */
  close(): Promise<void>
  remove(): Promise<void>
}

/**
 * Opens a file of this length in the private file system. With a key of 32 bytes and a name that ends with a UUID, a
 * later page that passes both again resumes from what was flushed. Without a key the file is encrypted under a random
 * one that only this worker holds, so that nobody can decrypt what a crash leaves behind. Rejects where there is no such
 * file system or not enough space.
 */
export async function openStagedFile(
  privateName: string,
  bytes: number,
  key: Uint8Array | null = null,
): Promise<OpenStagedFile> {
  const keys = await deriveKeys(privateName, bytes, key)
  const encrypted = await (key ? openResumableFile : openTemporaryFile)(privateName, keys)
  const file = createStagedFile(encrypted.records, keys)
  const flush = async () => {
    await file.flushCached()
    encrypted.flush()
  }
  return {
    write: file.write,
    read: file.read,
    flush,
    async finish(length, options) {
      await file.decrypt(length, options)
      // A file that omits something is shorter than the allocated space.
      encrypted.truncate(length)
      encrypted.close()
    },
    async close() {
      await flush()
      encrypted.close()
    },
    remove: encrypted.remove,
  }
}

/** One key may encrypt several files of a transfer, each under keys that are derived from the file's id too. */
async function deriveKeys(privateName: string, plainBytes: number, key: Uint8Array | null): Promise<FileKeys> {
  const header = createFileHeader({ kind: 'portal', plainBytes, recordBytes })
  if (!key) return deriveFileKeys(createFileKey(), header)
  return deriveFileKeys(key, { ...header, fileUid: parseUuidSuffix(privateName) })
}

/** The 16 bytes of the UUID at the end of a name. */
const parseUuidSuffix = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(name.slice(-36).replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
