import { ClientError } from '@sallyport/client/errors'
import { lastPartOf, openEnvelope, openName, type RootKey } from '@sallyport/crypto'
import { accountDestination, allowsSingleRequest, kindsOf, type UploadDestination } from './destination.ts'
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
  const opened = await openKeys(persisted, rootKey, destination)
  const { name, mimeType, lastModified } = await openName(persisted.sealedName, opened.keys)
  return {
    upload: { ...opened, lastModified },
    file: { name, type: mimeType, size: opened.keys.header.plainBytes, lastModified },
  }
}

/** Derives the keys of an upload that this page has persisted for this very file. */
export const openPendingUpload = async (
  persisted: PersistedUpload,
  { lastModified }: Pick<FileMetadata, 'lastModified'>,
  rootKey: RootKey,
  destination = accountDestination,
): Promise<PreparedUpload> => ({ ...(await openKeys(persisted, rootKey, destination)), lastModified })

async function openKeys(
  { uploadId, envelope, sealedName, chunkBytes, expirationMinutes }: PersistedUpload,
  rootKey: RootKey,
  destination: UploadDestination,
): Promise<Omit<PreparedUpload, 'lastModified'>> {
  const { fileKey, keys } = await openEnvelope({ envelope, root: rootKey, wrapType: kindsOf(destination).wrapType })
  fileKey.fill(0)
  const plan = restorePlan(keys.header, chunkBytes, { allowSingleRequest: allowsSingleRequest(destination) })
  return { destination, uploadId, keys, sealedName, envelope, plan, expirationMinutes }
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
