import { ClientError } from '@sallyport/client/errors'
import type { SealedManifest } from '@sallyport/contract/files'
import { ignore } from '@sallyport/contract/ignore'
import { type FileKeys, openEnvelope, openName, type RootKey, type UsedPaths, uniqueFilePath } from '@sallyport/crypto'
import type { ZipEntry } from '@sallyport/zip/entry'

export interface PlannedFile {
  readonly id: string
  readonly entry: ZipEntry
  /** An error where the account has no key for the file. */
  readonly keys: FileKeys | Error
}

/** Replaces a name that cannot be decrypted. */
const unreadableName = 'Unreadable name'

/** Files opened at once; more would hold up other work of the page. */
const batchSize = 24

/** Returns the entries of the archive in the listed order, with safe and unique paths. */
export async function planArchive(manifest: SealedManifest, accountKey: RootKey): Promise<readonly PlannedFile[]> {
  const usedPaths: UsedPaths = new Map()
  const planned: PlannedFile[] = []
  for (let first = 0; first < manifest.files.length; first += batchSize) {
    const batch = manifest.files.slice(first, first + batchSize)
    for (const { file, keys, name, lastModified } of await Promise.all(batch.map((one) => openFile(one, accountKey)))) {
      const bytes = keys instanceof Error ? file.size : keys.header.plainBytes
      const modifiedAt = lastModified > 0 ? lastModified : file.createdAt
      const entry = { name: uniqueFilePath(name, usedPaths), bytes, modifiedAt, hasDescriptor: false }
      planned.push({ id: file.id, entry, keys })
    }
  }
  return planned
}

async function openFile(file: SealedManifest['files'][number], accountKey: RootKey) {
  const keys = await openKeys(file.encryptedFileKey, accountKey)
  return { file, keys, ...(await openFileName(file.originalName, keys)) }
}

async function openKeys(envelope: string, root: RootKey): Promise<FileKeys | Error> {
  try {
    return (await openEnvelope({ envelope, root, wrapType: 'account' })).keys
  } catch (error) {
    return new ClientError('FILE_KEY_MISSING', { cause: error })
  }
}

async function openFileName(sealedName: string, keys: FileKeys | Error) {
  try {
    if (!(keys instanceof Error)) return await openName(sealedName, keys)
  } catch (error) {
    ignore(error, 'the file is verified independently of its name')
  }
  return { name: unreadableName, lastModified: 0 }
}
