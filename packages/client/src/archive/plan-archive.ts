import type { SealedManifest } from '@sallyport/contract/files'
import { type FileKeys, openEnvelope, openName, type Root, type TakenPaths, uniqueFilePath } from '@sallyport/crypto'
import type { ZipEntry } from '@sallyport/zip/entry'
import { downloadTexts } from '../download/texts.ts'

export interface PlannedFile {
  readonly id: string
  readonly entry: ZipEntry
  /** An error where the account holds no key to the file. */
  readonly keys: FileKeys | Error
}

/** What stands for a name that cannot be read. */
const unreadableName = 'Unreadable name'

/** Says under which names and in which order the files lie in the archive: as listed, in their folders, each path harmless and only once. */
export async function planArchive(manifest: SealedManifest, accountKey: Root): Promise<readonly PlannedFile[]> {
  const taken: TakenPaths = new Map()
  const planned: PlannedFile[] = []
  for (const file of manifest.files) {
    const keys = await openKeys(file.encryptedFileKey, accountKey)
    const { name, lastModified } = await openFileName(file.originalName, keys)
    const bytes = keys instanceof Error ? file.size : keys.header.plainBytes
    const modifiedAt = lastModified > 0 ? lastModified : file.createdAt
    const entry = { name: uniqueFilePath(name, taken), bytes, modifiedAt, hasDescriptor: false }
    planned.push({ id: file.id, entry, keys })
  }
  return planned
}

async function openKeys(envelope: string, root: Root): Promise<FileKeys | Error> {
  try {
    return (await openEnvelope({ envelope, root, wrapType: 'account' })).keys
  } catch (error) {
    return new Error(downloadTexts.noKey, { cause: error })
  }
}

async function openFileName(sealedName: string, keys: FileKeys | Error) {
  try {
    if (!(keys instanceof Error)) return await openName(sealedName, keys)
  } catch {
    // The file itself is verified apart from its name.
  }
  return { name: unreadableName, lastModified: 0 }
}
