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
export interface FileNameCache extends Omit<DecryptedCache<ListedName, string>, 'get' | 'add'> {
  /** The name that was decrypted from this file; undefined for another file under the same id. */
  readonly nameOf: DecryptedCache<ListedName, string>['get']
  /** Adds the name that this page has encrypted itself for an upload, so that it need not be decrypted. */
  readonly addOwn: (encrypted: SealedFileName, name: string) => void
}

const isSameContent = (one: SealedFileName, other: SealedFileName): boolean =>
  one.encryptedFileKey === other.encryptedFileKey && one.originalName === other.originalName

interface OwnName {
  readonly encrypted: SealedFileName
  readonly name: string
}

/** Decrypts names. One that cannot be decrypted is shown as unreadable. */
export function createFileNameCache(findRootKey: FindRootKey, wrapType: NameWrapType = 'account'): FileNameCache {
  /** By envelope, until their files are listed. */
  const ownNames = new Map<string, OwnName>()

  function ownNameOf(file: ListedName): string | undefined {
    const own = ownNames.get(file.encryptedFileKey)
    return own && isSameContent(own.encrypted, file) ? own.name : undefined
  }

  const { get, ...cache } = createDecryptedCache<ListedName, string>({
    isSameContent,
    takeKnown(file) {
      const name = ownNameOf(file)
      if (name !== undefined) ownNames.delete(file.encryptedFileKey)
      return name
    },
    decryptOne: async (file) => (await decryptFileName(file, findRootKey, wrapType)) ?? fileStrings.unreadableName,
  })
  return {
    ...cache,
    nameOf: (file) => get(file) ?? ownNameOf(file),
    // In the form that decryption returns.
    addOwn: (encrypted, name) =>
      void ownNames.set(encrypted.encryptedFileKey, { encrypted, name: name.normalize('NFC').toWellFormed() }),
  }
}
