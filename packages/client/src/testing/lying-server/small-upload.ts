import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type Root,
  sealName,
  smallestRecordBytes,
  toBase64url,
  wrapFileKey,
} from '@sallyport/crypto'
import { journalInMemory } from '../../upload/journal.ts'
import { accountPlace, kindsOf, type UploadPlace } from '../../upload/place.ts'
import { planInChunks } from '../../upload/plan.ts'
import { keptOf, type NotedUpload } from '../../upload/prepare-upload.ts'
import { fileOf } from '../files.ts'

interface SmallUploadInput {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly root: Root
  readonly place?: UploadPlace
}

/** An upload of a small file that goes up in chunks of one short record each, as only large files do by themselves. */
export async function prepareSmallUpload(input: SmallUploadInput): Promise<NotedUpload> {
  const { name, bytes, root, place = accountPlace } = input
  const { kind, wrapType } = kindsOf(place)
  const { type: mimeType, lastModified, size } = fileOf(bytes, name)
  const fileKey = createFileKey()
  const header = createFileHeader({ kind, plainBytes: size, recordBytes: smallestRecordBytes })
  const keys = await deriveFileKeys(fileKey, header)
  const upload = {
    place,
    uploadId: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    keys,
    lastModified,
    sealedName: await sealName({ name, mimeType, lastModified }, keys),
    envelope: await wrapFileKey({ fileKey, keys, root, wrapType }),
    plan: planInChunks(header, smallestRecordBytes),
    expirationMinutes: undefined,
  }
  const kept = keptOf(upload)
  return { upload, kept, journal: await journalInMemory(kept) }
}
