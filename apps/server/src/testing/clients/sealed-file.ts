import { randomBytes } from 'node:crypto'
import {
  createFileHeader,
  createFileKey,
  createShareKey,
  deriveFileKeys,
  type FileKeys,
  keyIdOf,
  keyIdText,
  sealName,
  sealRecord,
  smallestRecordBytes,
  type WrapType,
  wrapFileKey,
} from '@sallyport/crypto'

interface SealFileOptions {
  readonly plainBytes: number
  /** Plain bytes of every chunk but the last; a multiple of 64 KiB. */
  readonly chunkBytes?: number
  readonly rootKey?: Uint8Array
  /** Whether the root key is an account key or a session key. */
  readonly kind?: 'personal' | 'session'
}

/** Seals a random file as a browser does, in records of 64 KiB. */
export async function sealFile({
  plainBytes,
  chunkBytes = smallestRecordBytes,
  rootKey = createShareKey(),
  kind = 'personal',
}: SealFileOptions) {
  const wrapType = kind === 'session' ? 'session' : 'account'
  const plain = randomBytes(plainBytes)
  const fileKey = createFileKey()
  const header = createFileHeader({ kind, plainBytes, recordBytes: smallestRecordBytes })
  const keys = await deriveFileKeys(fileKey, header)
  const wrap = (type: WrapType, root: Uint8Array) => wrapFileKey({ fileKey, keys, root, wrapType: type })
  const chunks = await sealChunks({ plain, keys, recordsInChunk: chunkBytes / smallestRecordBytes })
  return {
    plain,
    keys,
    fileKey,
    rootKey,
    chunks,
    sealed: Buffer.concat(chunks),
    chunkBytes,
    name: await sealName({ name: 'report.pdf', mimeType: 'application/pdf', lastModified: 0 }, keys),
    envelope: await wrap(wrapType, rootKey),
    keyId: keyIdText(await keyIdOf(rootKey, wrapType)),
    wrap,
  }
}

export type TestFile = Awaited<ReturnType<typeof sealFile>>

interface SealChunksInput {
  readonly plain: Buffer
  readonly keys: FileKeys
  readonly recordsInChunk: number
}

async function sealChunks({ plain, keys, recordsInChunk }: SealChunksInput): Promise<Buffer[]> {
  const { recordBytes, recordCount } = keys.header
  const records = await Promise.all(
    Array.from({ length: recordCount }, (_, index) =>
      sealRecord(keys, index, new Uint8Array(plain.subarray(index * recordBytes, (index + 1) * recordBytes))),
    ),
  )
  return Array.from({ length: Math.ceil(recordCount / recordsInChunk) }, (_, chunk) =>
    Buffer.concat(records.slice(chunk * recordsInChunk, (chunk + 1) * recordsInChunk)),
  )
}
