import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { encodeFileHeader, type FileHeader } from './header.ts'
import { deriveAesKey, deriveBytes, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey } from './secret.ts'

/** All keys that seal or open one file. They are bound to every byte of its header. */
export interface FileKeys {
  readonly header: FileHeader
  readonly encodedHeader: Bytes
  /** Seals the records. */
  readonly content: CryptoKey
  /** Seals the name. */
  readonly meta: CryptoKey
  /** 32 public bytes that commit to this file key and this header. */
  readonly commit: Bytes
}

/** Creates a key for a single upload. */
export const createFileKey = (): Bytes => createKey()

export async function deriveFileKeys(fileKey: Uint8Array, header: FileHeader): Promise<FileKeys> {
  const encodedHeader = encodeFileHeader(header)
  const from = await importRootKey(fileKey)
  const derivation = (label: string) => ({ from, salt: header.fileUid, info: concatBytes(utf8(label), encodedHeader) })
  const [content, meta, commit] = await Promise.all([
    deriveAesKey(derivation(labels.fileContent)),
    deriveAesKey(derivation(labels.fileMeta)),
    deriveBytes(derivation(labels.fileCommit)),
  ])
  return { header, encodedHeader, content, meta, commit }
}
