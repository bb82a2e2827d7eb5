import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type RootKey,
  sealName,
  smallestRecordBytes,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { accountDestination, kindsOf, type UploadDestination } from '@sallyport/transfers/engine/upload/destination'
import { openMemoryJournal } from '@sallyport/transfers/engine/upload/journal'
import { planInChunks } from '@sallyport/transfers/engine/upload/plan'
import { type PendingUpload, toPersistedUpload } from '@sallyport/transfers/engine/upload/prepare-upload'
import { fileOf } from '@sallyport/transfers/testing/files'

interface SmallUploadInput {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly root: RootKey
  readonly destination?: UploadDestination
}

/** Prepares a chunked upload of a small file, with one short record per chunk. Usually only large files are chunked. */
export async function prepareSmallUpload(input: SmallUploadInput): Promise<PendingUpload> {
  const { name, bytes, root, destination = accountDestination } = input
  const { kind, wrapType } = kindsOf(destination)
  const { type: mimeType, lastModified, size } = fileOf(bytes, name)
  const fileKey = createFileKey()
  const header = createFileHeader({ kind, plainBytes: size, recordBytes: smallestRecordBytes })
  const keys = await deriveFileKeys(fileKey, header)
  const upload = {
    destination,
    uploadId: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    keys,
    lastModified,
    sealedName: await sealName({ name, mimeType, lastModified }, keys),
    envelope: await wrapFileKey({ fileKey, keys, root, wrapType }),
    plan: planInChunks(header, smallestRecordBytes),
    expirationMinutes: undefined,
  }
  const persisted = toPersistedUpload(upload)
  return { upload, persisted, journal: await openMemoryJournal(persisted) }
}
