import { ClientError } from '@sallyport/client/errors'
import { lastPartOf, openEnvelope, openName, type RootKey } from '@sallyport/crypto'
import { accountDestination, allowsSingleRequest, kindsOf } from './destination.ts'
import type { FileMetadata } from './file-source.ts'
import type { PersistedUpload } from './journal.ts'
import { restorePlan } from './plan.ts'
import type { PreparedUpload, PrepareUploadInput } from './prepare-upload.ts'

/** Whether a file matches the metadata of a persisted upload; only its bytes can prove that it is the same. */
export const matchesMetadata = (file: Omit<FileMetadata, 'type'>, persisted: FileMetadata): boolean =>
  file.name.normalize('NFC') === lastPartOf(persisted.name) &&
  file.size === persisted.size &&
  file.lastModified === persisted.lastModified

/** Decrypts a persisted upload to this destination. Throws a `CryptoError` if another root key started it. */
export async function openPersistedUpload(
  persisted: PersistedUpload,
  rootKey: RootKey,
  destination = accountDestination,
): Promise<{ readonly upload: PreparedUpload; readonly file: FileMetadata }> {
  const { uploadId, envelope, sealedName, chunkBytes, expirationMinutes } = persisted
  const { fileKey, keys } = await openEnvelope({ envelope, root: rootKey, wrapType: kindsOf(destination).wrapType })
  fileKey.fill(0)
  const { name, mimeType, lastModified } = await openName(sealedName, keys)
  const plan = restorePlan(keys.header, chunkBytes, { allowSingleRequest: allowsSingleRequest(destination) })
  return {
    upload: { destination, uploadId, keys, lastModified, sealedName, envelope, plan, expirationMinutes },
    file: { name, type: mimeType, size: keys.header.plainBytes, lastModified },
  }
}

/**
 * Prepares a persisted upload for resuming. Throws `FILE_DIFFERS` if this is not the file it was started with.
 */
export async function reopenUpload(
  persisted: PersistedUpload,
  { file, rootKey, destination }: PrepareUploadInput,
): Promise<PreparedUpload> {
  const reopened = await openPersistedUpload(persisted, await rootKey, destination)
  if (!matchesMetadata(file, reopened.file)) throw new ClientError('FILE_DIFFERS')
  return reopened.upload
}
