import { lastPartOf, openEnvelope, openName, type Root } from '@sallyport/crypto'
import { FileDiffersError, type FileSource } from './file-source.ts'
import type { KeptUpload } from './journal.ts'
import { accountPlace, kindsOf, mayBeSingle, type UploadPlace } from './place.ts'
import { planAgain } from './plan.ts'
import type { PreparedUpload } from './prepare-upload.ts'

/** What a kept upload says of its file. */
export interface KeptFile {
  readonly name: string
  /** MIME type; empty when unknown. */
  readonly type: string
  /** Plain bytes. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly lastModified: number
}

export interface Reopened {
  readonly upload: PreparedUpload
  readonly file: KeptFile
}

/** Whether a file looks like the one of a kept upload; only its bytes can show that it is. */
export const looksLike = (file: Pick<FileSource, 'name' | 'size' | 'lastModified'>, kept: KeptFile): boolean =>
  file.name.normalize('NFC') === lastPartOf(kept.name) &&
  file.size === kept.size &&
  file.lastModified === kept.lastModified

/** Opens what was kept of an upload to this place. Throws a `CryptoError` where this key did not begin it. */
export async function reopenKept(kept: KeptUpload, accountKey: Root, place = accountPlace): Promise<Reopened> {
  const { uploadId, envelope, sealedName, chunkBytes, expirationMinutes } = kept
  const { fileKey, keys } = await openEnvelope({ envelope, root: accountKey, wrapType: kindsOf(place).wrapType })
  fileKey.fill(0)
  const { name, mimeType, lastModified } = await openName(sealedName, keys)
  const plan = planAgain(keys.header, chunkBytes, { mayBeSingle: mayBeSingle(place) })
  return {
    upload: { place, uploadId, keys, lastModified, sealedName, envelope, plan, expirationMinutes },
    file: { name, type: mimeType, size: keys.header.plainBytes, lastModified },
  }
}

interface Again {
  readonly file: FileSource
  readonly accountKey: Root | Promise<Root>
  readonly place?: UploadPlace | undefined
}

/** Takes a kept upload up again. Throws a `FileDiffersError` when this cannot be the file it was begun with. */
export async function reopenUpload(kept: KeptUpload, { file, accountKey, place }: Again): Promise<PreparedUpload> {
  const reopened = await reopenKept(kept, await accountKey, place)
  if (!looksLike(file, reopened.file)) throw new FileDiffersError()
  return reopened.upload
}
