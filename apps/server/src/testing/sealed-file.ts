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

interface Wish {
  readonly plainBytes: number
  /** Plain bytes of every chunk but the last; a multiple of 64 KiB. */
  readonly chunkBytes?: number
  readonly accountKey?: Uint8Array
  /** Sealed for an account or for a session; the key is the account's or the session's. */
  readonly kind?: 'personal' | 'session'
}

/** A file as a browser seals it, in records of 64 KiB. */
export async function sealFile({
  plainBytes,
  chunkBytes = smallestRecordBytes,
  accountKey = createShareKey(),
  kind = 'personal',
}: Wish) {
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
    accountKey,
    chunks,
    sealed: Buffer.concat(chunks),
    chunkBytes,
    name: await sealName({ name: 'report.pdf', mimeType: 'application/pdf', lastModified: 0 }, keys),
    envelope: await wrap(wrapType, accountKey),
    keyId: keyIdText(await keyIdOf(accountKey, wrapType)),
    wrap,
  }
}

export type TestFile = Awaited<ReturnType<typeof sealFile>>

interface Sealing {
  readonly plain: Buffer
  readonly keys: FileKeys
  readonly recordsInChunk: number
}

async function sealChunks({ plain, keys, recordsInChunk }: Sealing): Promise<Buffer[]> {
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
