import { lastPartOf, openEnvelope, openName, type Root } from '@sallyport/crypto'
import { FileDiffersError, type FileSource } from './file-source.ts'
import type { KeptUpload } from './journal.ts'
import { accountPlace } from './place.ts'
import { planInChunks } from './plan.ts'
import type { PreparedUpload } from './prepare-upload.ts'

/** What a kept upload says of its file. */
export interface KeptFile {
  readonly name: string
  /** Plain bytes. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly lastModified: number
}

interface Reopened {
  readonly upload: PreparedUpload
  readonly file: KeptFile
}

/** Whether a file looks like the one of a kept upload; only its bytes can show that it is. */
export const looksLike = (file: Pick<FileSource, 'name' | 'size' | 'lastModified'>, kept: KeptFile): boolean =>
  file.name.normalize('NFC') === lastPartOf(kept.name) &&
  file.size === kept.size &&
  file.lastModified === kept.lastModified

/** Opens what was kept of an upload. Throws a `CryptoError` where this account key did not begin it. */
export async function reopenKept(kept: KeptUpload, accountKey: Root): Promise<Reopened> {
  const { uploadId, envelope, sealedName, chunkBytes, expirationMinutes } = kept
  const { fileKey, keys } = await openEnvelope({ envelope, root: accountKey, wrapType: 'account' })
  fileKey.fill(0)
  const { name, lastModified } = await openName(sealedName, keys)
  const plan = planInChunks(keys.header, chunkBytes)
  return {
    upload: { place: accountPlace, uploadId, keys, lastModified, sealedName, envelope, plan, expirationMinutes },
    file: { name, size: keys.header.plainBytes, lastModified },
  }
}

/** Takes a kept upload up again. Throws a `FileDiffersError` when this cannot be the file it was begun with. */
export async function reopenUpload(
  kept: KeptUpload,
  { file, accountKey }: { readonly file: FileSource; readonly accountKey: Root | Promise<Root> },
): Promise<PreparedUpload> {
  const reopened = await reopenKept(kept, await accountKey)
  if (!looksLike(file, reopened.file)) throw new FileDiffersError()
  return reopened.upload
}
