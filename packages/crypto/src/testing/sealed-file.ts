import { createFileKey, deriveFileKeys, type FileKeys } from '../file-keys.ts'
import type { FileHeader, FileKind } from '../header.ts'
import { randomBytes } from '../random.ts'
import { sealRecord } from '../record.ts'
import { recordCountOf } from '../sizes.ts'
import { largeFilePlain } from './large-file.ts'
import { concatPieces } from './pieces.ts'

export interface SealedFile {
  readonly fileKey: Uint8Array
  readonly keys: FileKeys
  readonly plain: Uint8Array
  readonly records: readonly Uint8Array[]
  readonly sealed: Uint8Array
}

interface SealedFileOptions {
  readonly recordBytes?: number
  readonly kind?: FileKind
}

/** Creates a file that is sealed in tiny records with its own key. */
export async function createSealedFile(
  plainBytes: number,
  { recordBytes = 16, kind = 'personal' }: SealedFileOptions = {},
): Promise<SealedFile> {
  const recordCount = recordCountOf(plainBytes, recordBytes)
  const header: FileHeader = { kind, fileUid: randomBytes(16), recordBytes, recordCount, plainBytes }
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const plain = largeFilePlain(plainBytes)
  const records: Uint8Array[] = []
  for (let index = 0; index < recordCount; index += 1) {
    records.push(await sealRecord(keys, index, plain.subarray(index * recordBytes, (index + 1) * recordBytes)))
  }
  return { fileKey, keys, plain, records, sealed: concatPieces(records) }
}
