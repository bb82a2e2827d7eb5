import type { ListedFile } from '@sallyport/contract/files'
import { decryptFileName, type FindRootKey, type NameWrapType } from '@sallyport/transfers/engine/file-name'
import { createDecryptedCache, type DecryptedCache } from '#/lib/decrypted-cache.ts'
import { fileStrings } from '#/strings/files.ts'

type EncryptedNameSource = Pick<ListedFile, 'id' | 'originalName' | 'encryptedFileKey'>

/** Decrypted names by file id. */
export interface FileNameCache
  extends Pick<DecryptedCache<EncryptedNameSource, string>, 'current' | 'subscribe' | 'decrypt'> {
  /** The name that was decrypted from this file; undefined for another file under the same id. */
  readonly nameOf: DecryptedCache<EncryptedNameSource, string>['get']
  /** Adds the name that this page has encrypted itself for an upload, so that it need not be decrypted. */
  readonly addOwn: (encrypted: Omit<EncryptedNameSource, 'id'>, name: string) => void
}

/** Identifies the encrypted name. A later list may contain another file under the same id. */
const sourceOf = ({ originalName, encryptedFileKey }: Omit<EncryptedNameSource, 'id'>): string =>
  `${originalName} ${encryptedFileKey}`

/** Decrypts names. One that cannot be decrypted is shown as unreadable. */
export function createFileNameCache(findRootKey: FindRootKey, wrapType: NameWrapType = 'account'): FileNameCache {
  const ownNames = new Map<string, string>()
  const decryptOne = async (source: EncryptedNameSource) =>
    ownNames.get(sourceOf(source)) ??
    (await decryptFileName(source, findRootKey, wrapType)) ??
    fileStrings.unreadableName
  const { get, ...cache } = createDecryptedCache({ decryptOne, sourceOf })
  return {
    ...cache,
    nameOf: (file) => get(file) ?? ownNames.get(sourceOf(file)),
    // In the form that decryption returns.
    addOwn: (encrypted, name) => void ownNames.set(sourceOf(encrypted), name.normalize('NFC').toWellFormed()),
  }
}
