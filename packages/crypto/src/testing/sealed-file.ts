import { createFileKey, deriveFileKeys, type FileKeys } from '../file-keys.ts'
import type { FileHeader, FileKind } from '../header.ts'
import { randomBytes } from '../random.ts'
import { sealRecord } from '../record.ts'
import { recordCountOf } from '../sizes.ts'
import { plainOfLargeFile } from './large-file.ts'
import { joined } from './pieces.ts'

export interface SealedFile {
  readonly fileKey: Uint8Array
  readonly keys: FileKeys
  readonly plain: Uint8Array
  readonly records: readonly Uint8Array[]
  readonly sealed: Uint8Array
}

interface Wishes {
  readonly recordBytes?: number
  readonly kind?: FileKind
}

/** A file sealed in tiny records under a key of its own. */
export async function aSealedFile(
  plainBytes: number,
  { recordBytes = 16, kind = 'personal' }: Wishes = {},
): Promise<SealedFile> {
  const recordCount = recordCountOf(plainBytes, recordBytes)
  const header: FileHeader = { kind, fileUid: randomBytes(16), recordBytes, recordCount, plainBytes }
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const plain = plainOfLargeFile(plainBytes)
  const records: Uint8Array[] = []
  for (let index = 0; index < recordCount; index += 1) {
    records.push(await sealRecord(keys, index, plain.subarray(index * recordBytes, (index + 1) * recordBytes)))
  }
  return { fileKey, keys, plain, records, sealed: joined(records) }
}
