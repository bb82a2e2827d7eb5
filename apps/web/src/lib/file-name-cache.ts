import {
  decryptFileName,
  type FindRootKey,
  type NameWrapType,
  type SealedFileName,
} from '@sallyport/transfers/engine/file-name'
import { createDecryptedCache, type DecryptedCache } from '#/lib/decrypted-cache.ts'
import { fileStrings } from '#/strings/files.ts'

interface ListedName extends SealedFileName {
  readonly id: string
}

/** Decrypted names by file id. */
export interface FileNameCache extends Pick<DecryptedCache<ListedName, string>, 'current' | 'subscribe' | 'decrypt'> {
  /** The name that was decrypted from this file; undefined for another file under the same id. */
  readonly nameOf: DecryptedCache<ListedName, string>['get']
  /** Adds the name that this page has encrypted itself for an upload, so that it need not be decrypted. */
  readonly addOwn: (encrypted: SealedFileName, name: string) => void
}

/** Identifies the encrypted name. A later list may contain another file under the same id. */
const sourceOf = ({ originalName, encryptedFileKey }: SealedFileName): string => `${originalName} ${encryptedFileKey}`

/** Decrypts names. One that cannot be decrypted is shown as unreadable. */
export function createFileNameCache(findRootKey: FindRootKey, wrapType: NameWrapType = 'account'): FileNameCache {
  const ownNames = new Map<string, string>()
  const decryptOne = async (source: ListedName) =>
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
